// `doctor`: everything that an apply will need of a target, checked before it is needed. Writes nothing, anywhere.

import { digest } from '../../base/digest.ts';
import type { Operation } from '../../many/operation.ts';
import type { Diagnosis } from './diagnose.ts';
import { checkTarget, type DoctorOptions } from './read-doctor.ts';
import { doctorFindings, doctorRows, doctorView } from './view.ts';

export const doctoring: Operation<DoctorOptions, Diagnosis> = {
  name: 'doctor',
  changes: 'nothing',
  run: checkTarget,
  row: ({ checks, summary: { problem, warning } }) => {
    const first = checks.find(({ status }) => status === 'problem');
    return {
      state: problem > 0 ? 'failed' : 'done',
      code: problem > 0 ? 1 : 0,
      figures: { problems: problem, warnings: warning },
      ...(first === undefined ? {} : { message: first.message }),
      isQuiet: problem + warning === 0,
      likeness: () => digest(checks.map(({ check, status }) => [check, status])),
    };
  },
  view: doctorView,
  findings: doctorFindings,
  table: doctorRows,
};
