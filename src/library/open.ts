// The door of the library: a project and its targets. What is behind it is `chatform/parts`.

import { existsSync } from 'node:fs';
import { UsageError } from '../base/errors.ts';
import { type Selector, selected } from '../many/selected.ts';
import { budgetsOf } from '../target/budgets.ts';
import { openProjectFile, PROJECT_FILE } from '../target/choice.ts';
import { type RunContext, systemContext } from '../target/context.ts';
import { sharedAnswers } from '../target/shared-answers.ts';
import { type OpenTarget, openTarget } from './open-target.ts';
import { type OpenTargets, openTargets } from './open-targets.ts';

/** A project as its files are when they are first read. Open it again to see files that changed. */
export interface OpenProject {
  /** Default: the project's `default_target`, or its only one. @throws UsageError for a name that it does not have */
  readonly target: (name?: string) => OpenTarget;
  /** By name; default all. @throws UsageError for a name, pattern or label that no target has */
  readonly targets: (selector?: Selector) => OpenTargets;
}

/**
 * Opens a project by its chatform.yaml. The token comes from the environment variable that a target names.
 * @throws UsageError with every finding when the file has errors
 */
export async function openProject(path: string = PROJECT_FILE, given: Partial<RunContext> = {}): Promise<OpenProject> {
  const system = { ...systemContext(), ...given };
  if (!existsSync(path)) throw new UsageError(`there is no ${path}: give the path of the project's chatform.yaml`);
  const opened = await openProjectFile({ project: path }, system);
  const { project, diagnostics } = opened;
  if (project === null) throw new UsageError(`${path} has errors`, diagnostics);
  const context = { budgets: budgetsOf(project, system), answers: sharedAnswers(system.clock), ...system };
  return {
    target: (name = project.defaultTarget ?? '') => {
      const settings = project.targets.get(name);
      if (settings !== undefined) return openTarget(opened, settings, context);
      const wanted = name === '' ? 'has no default_target: name a target' : `has no target ${name}`;
      throw new UsageError(`${path} ${wanted}; there are: ${[...project.targets.keys()].join(', ')}`);
    },
    targets: (selector = {}) =>
      openTargets({ ...opened, project }, selected([...project.targets.values()], selector), context),
  };
}
