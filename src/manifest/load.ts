// From files to the desired state of a license: read, overlay, substitute, validate, resolve. Every mistake is found in one run.

import { InternalError } from '../base/errors.ts';
import { isList, isObject } from '../base/json.ts';
import type { Address, Desired, Diagnostic, JsonObject, KindName, Move, Place, Version } from '../base/model.ts';
import { dayAt } from '../base/week.ts';
import { ORDERED } from '../kinds/index.ts';
import type { Maker } from '../kinds/kind.ts';
import { type KindLimits, limitsOf } from '../kinds/limits.ts';
import { countryCode, countryCodeRemedy, countryRemedy, isCountryCode } from '../routing/countries.ts';
import type { Shift } from '../routing/staff/staff.ts';
import { at, collector, diagnosticsOf, type Emit, limitFindings, MOST_FINDINGS, sorted } from '../yaml/diagnostics.ts';
import { blankSource, type Part, type Path, type PlaceMark } from '../yaml/places.ts';
import { CHECK_NAME, disk, type FileSystem, readFiles } from '../yaml/read.ts';
import { absencesOf, comingAbsences } from './absences.ts';
import { compose } from './compose.ts';
import { misnamedIn, misplacedIn, referenceCheck } from './dangling.ts';
import { type EnvironmentRule, envRefusal, NO_PROJECT, type VariableRefusal } from './environment.ts';
import { type FileMention, feedsOf } from './feeds.ts';
import { checkLeavers, withoutLeavers } from './leavers.ts';
import { checkMeantTexts } from './meant-texts.ts';
import { checkMoves, movesOf, newAddresses } from './moves.ts';
import { checkCases, checkNearKeys, FILE_LINT, type FileLint, type FileLintId } from './near-keys.ts';
import { markOf, originOf } from './origin.ts';
import { overlay, removalsOf } from './overlay.ts';
import { oncePerDefault, peopleOf } from './people.ts';
import { checkPeriods, type OnTheDay, withinPeriods, withoutPeriods, type ZonedDay } from './periods.ts';
import { resolve } from './resolve.ts';
import { checkRoutes, checkVisitors, type Route, routeExternals, routesOf } from './routes.ts';
import { checkClosedWeeks, checkSchedules } from './schedule-checks.ts';
import { onDay, shiftPath } from './schedules.ts';
import { manifestSchema } from './schema.ts';
import { ABSENCES, type DeclaredEntry, declaredEntries } from './sections.ts';
import { substitute, type Variables } from './substitute.ts';
import { spelledInNfc } from './texts.ts';
import { checkTogether } from './together.ts';
import { checkSecretVariables, checkShared, validate } from './validate.ts';
import { flagValues, type GivenVariables, insertedPlaces, valuesOfFiles, variablesOf } from './variables.ts';

export interface ManifestInput {
  /** Files, or directories of `*.yaml` and `*.yml` files; their order does not matter. */
  readonly files: readonly string[];
  /** Overlays, in the order in which they apply. */
  readonly overlays?: readonly string[];
  /** Values of `${var.name}`: those of the target. */
  readonly vars?: JsonObject;
  /** Where a member of `vars` is written. */
  readonly varsAt?: (path: Path) => PlaceMark;
  /** Files of values, which count more than those of the target; a later one more than an earlier one. */
  readonly varFiles?: readonly string[];
  /** Values that count most, as texts. */
  readonly flags?: { readonly [name: string]: string };
  /** Values of `${env.NAME}`. */
  readonly env: { readonly [name: string]: string | undefined };
  /** Which of them may be read; default: those whose names begin with `CHATFORM_VAR_`. */
  readonly environment?: EnvironmentRule;
  /** The version of the target. */
  readonly version: Version;
  /** Of the target's token; default `bearer`. */
  readonly credential?: Maker['credential'];
  /** Limits of the service that differ from the table for this target. */
  readonly limits?: Partial<KindLimits>;
  /** Owner clients to read, in addition to those that entries name. */
  readonly clients?: readonly string[];
  /** Whether other targets would also write what an owner client shares with all its licenses, and none is named to write it; default no. */
  readonly isContested?: (client: string) => boolean;
  /** Kinds whose undeclared objects are deleted. */
  readonly complete?: readonly KindName[];
  /** How a lint of files is set; default a warning without exceptions. */
  readonly lintOf?: (lint: FileLintId) => FileLint;
  /** Milliseconds since the epoch: hours that depend on the date are those of this day, in their own zone. Needed when some do. */
  readonly now?: number;
  /** The zone in which the days of `from:` and `until:` begin; default UTC. */
  readonly zone?: string;
  /** A day instead, the same in each zone, as `dayOf` returns it. */
  readonly day?: number;
  /** Default: the real disk. */
  readonly io?: FileSystem;
}

export interface LoadedManifest {
  /** Null when there is an error. */
  readonly desired: Desired | null;
  readonly moved: readonly Move[];
  /** The routing tests, in the order of the manifest. */
  readonly routes: readonly Route[];
  /** Errors and warnings, sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** The variables that the files use or declare, such as `var.shop` or `env.REGION`. */
  readonly variables: ReadonlySet<string>;
  /** Their values. */
  readonly values: Variables;
  /** Where an entry, or a member of it, is written; null for an address that is not declared. */
  readonly markOf: (address: Address, path?: Path, part?: Part) => PlaceMark | null;
  /** Where a shift of the hours of an entry is written; null for hours of a date. */
  readonly shiftMarkOf: (address: Address, shift: Shift) => PlaceMark | null;
}

/** Reports nothing that an entry lacks if only an overlay has it: the rest of it may be in a file that could not be read. */
function unlessOnlyOverlaid(emit: Emit, base: JsonObject): Emit {
  const isInBase = ([section = '', key = '']: Path): boolean => {
    const entries = base[section];
    return Array.isArray(entries) || (isObject(entries) && Object.hasOwn(entries, key));
  };
  return (given) => {
    const found = 'code' in given ? [given] : [...given];
    emit(found.filter(({ code, path }) => code !== 'missing-field' || isInBase(path)));
  };
}

/** Throws nothing but InternalError. */
export async function loadManifest(input: ManifestInput): Promise<LoadedManifest> {
  const { environment = NO_PROJECT, version, credential = 'bearer', clients = [], complete = [] } = input;
  const system = input.io ?? disk();
  const read = await readFiles(input.files, system, `${CHECK_NAME}, or write the first file with \`chatform import\``);
  const overlays = await readOverlays(input.overlays ?? [], system);

  const files = compose(read.files);
  const laid = overlay(files, overlays.files);

  const collected = collector(MOST_FINDINGS);
  const { spoil } = collected;
  const templated = [...read.files, ...overlays.files].some((file) => file.templated);
  const varFiles = await valuesOfFiles(input.varFiles ?? [], system);
  const given = [targetValues(input), ...varFiles.given, flagValues(input.flags ?? {})];
  const resolved = await variablesOf(laid, given, varFiles.found.length === 0);
  const refusal = (name: string): VariableRefusal | null => envRefusal(name, environment);
  const values: Variables = { env: input.env, var: resolved.values };
  const { lintOf = () => FILE_LINT } = input;
  const people = await peopleOf(files, laid, values, { refusal }, lintOf('unused-column'), system);
  const { base } = people;
  const composed = base === files ? laid : overlay(base, overlays.files);
  const places = insertedPlaces((path, part) => markOf(composed.origin, path, part), resolved.markOf);
  const emit = oncePerDefault(collected.emit, people, places.markAt);
  const used = new Set<string>();
  const { variables: declarations, ...sections } = composed.value;
  const insertions = { refusal, used, whole: places.add, wrong: spoil };
  const inserted = substitute({ value: sections, templated }, manifestSchema, values, emit, insertions);
  const plain = !templated && base === files && [...read.files, ...overlays.files].every((file) => file.plain);
  const spelled = spelledInNfc({ value: inserted, plain }, emit);
  const manifest = declarations === undefined ? spelled.value : { ...spelled.value, variables: declarations };

  const { entries, members } = withoutPeriods(declaredEntries(manifest));
  const limits = limitsOf(version, input.limits);
  const misnamed = misnamedIn(read.files.map(({ value }) => value));
  const isWhole = read.whole && overlays.whole && people.whole;
  const report = read.whole && misnamed.size === 0 ? emit : unlessOnlyOverlaid(emit, base.value);
  validate({ value: manifest, plain }, entries, { version, credential }, limits, report);
  if (input.isContested !== undefined) checkShared(entries, input.isContested, report);
  checkSecretVariables(entries, environment.secrets, report);
  checkCountries(entries, emit);
  checkVisitors(manifest['routes'], emit);
  const removedAt = removalsOf(base, overlays.files);
  const terms = { version, isWhole, removedAt, lintOf };
  const dayIn = dayFor(input);
  const { zone = 'UTC' } = input;
  const today = (): ZonedDay => ({ timezone: zone, day: dayIn(zone) });
  checkMeantTexts(entries, lintOf, emit);
  checkPeriods(entries, members, { today, lintOf }, emit);
  checkSchedules(manifest, entries, { ...terms, dayIn }, emit);
  const markAt = (path: Path, part: Part): PlaceMark => places.markAt(spelled.writtenPath(path), part);
  const fileOf = (path: Path): string => markAt(path, 'value').place.file;
  const { entries: staying, marked } = withoutLeavers(entries, manifest['leavers'], people.marked, fileOf);
  // An entry may be in the file that could not be read.
  if (isWhole) {
    const misplaced = misplacedIn(collected.found);
    const moved = newAddresses(manifest['moved']);
    const dangling = referenceCheck(staying, { removedAt, misplaced, misnamed, moved });
    checkTogether(staying, limits, dangling, emit);
    checkCases(entries, emit);
    if (overlays.files.length > 0)
      checkNearKeys(
        declaredEntries(spelledInNfc({ value: base.value, plain }, () => {}).value),
        entries,
        lintOf('overlay-near-key'),
        emit,
      );
    checkRoutes(manifest['routes'], dangling, emit);
    checkMoves(manifest['moved'], entries, emit);
    checkLeavers(manifest['leavers'], entries, emit);
  }

  const fileAt = (...path: Path): FileMention => ({
    file: originOf(composed.origin, path).source.file,
    mark: markOf(composed.origin, path, 'value'),
  });
  const dayInUtc = (): number => dayIn('UTC');
  const namedAt = (member: 'csv' | 'ics'): FileMention => fileAt(ABSENCES, member);
  const away = await absencesOf(manifest, entries, { ...terms, dayIn, namedAt, today: dayInUtc }, system);
  const feeds = await feedsOf(manifest, (name) => fileAt('calendars', name, 'ics'), dayInUtc, system);
  if (!collected.found.some(({ severity }) => severity !== 'warning'))
    checkClosedWeeks(manifest, entries, { version, dayIn, absences: away.of, feeds: feeds.of }, emit);

  const placeAt = (path: Path, part: Part = 'value'): Place => markAt(path, part).place;
  const parsing = [...read.diagnostics, ...overlays.diagnostics, ...varFiles.found];
  const checks = diagnosticsOf(collected, markAt, parsing);
  const ofVariables = [...resolved.diagnostics, ...resolved.strays(used)];
  const ofFiles = [
    ...parsing,
    ...files.diagnostics,
    ...people.diagnostics,
    ...away.diagnostics,
    ...feeds.diagnostics,
    ...composed.diagnostics,
  ];
  const diagnostics = limitFindings(sorted([...ofFiles, ...ofVariables, ...checks]));
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  const paths = new Map<Address, Path>(staying.map(({ address, path }) => [address, path]));
  const ofPeriods = failed ? null : withinPeriods(staying, members, today, placeAt);
  const desired = ({ entries: within, waiting, coming, day }: OnTheDay): Desired => {
    const { entries: ofDay, dated } = onDay(within, manifest, {
      version,
      dayIn,
      placeAt,
      absences: away.of,
      feeds: feeds.of,
    });
    const zoneOf = (address: Address): string => dated.get(address)?.hours.timezone ?? zone;
    const ahead = [...coming, ...comingAbsences(away, zoneOf, dayIn)];
    const externals = routeExternals(manifest['routes'], placeAt);
    const { leavers } = people;
    const resolved = resolve(
      ofDay,
      { clients, complete, externals, people: { rows: people.rows, marked }, waiting },
      placeAt,
    );
    return {
      ...resolved,
      ...(dated.size > 0 ? { dated } : {}),
      ...(day === null ? {} : { periods: day }),
      ...(ahead.length === 0 ? {} : { coming: ahead }),
      ...(leavers === null ? {} : { leavers }),
    };
  };
  return {
    desired: ofPeriods === null ? null : desired(ofPeriods),
    moved: failed ? [] : movesOf(manifest['moved'], placeAt),
    // A test of a rule that is not there on the day says nothing.
    routes:
      ofPeriods === null
        ? []
        : routesOf(manifest['routes'], markAt).filter(({ rule }) => rule === null || !ofPeriods.absent.has(rule)),
    diagnostics,
    variables: new Set([...used, ...resolved.declared.map((name) => `var.${name}`)]),
    values: { env: asked(input.env, used, refusal), var: resolved.values },
    markOf: (address, path = [], part = 'key') => {
      const entry = paths.get(address);
      return entry === undefined ? null : markAt([...entry, ...path], part);
    },
    shiftMarkOf: (address, shift) => {
      const entry = entries.find((each) => each.address === address);
      const path = entry === undefined ? null : shiftPath(entry, shift, manifest);
      return path === null ? null : markAt(path, 'value');
    },
  };
}

function targetValues({ vars = {}, varsAt }: ManifestInput): GivenVariables {
  const unwritten = blankSource('vars');
  return { values: vars, markAt: (path, part) => varsAt?.(path) ?? unwritten.mark(path, part), texts: 'spelt' };
}

/** The environment variables that the files ask for and may read. No other is looked at. */
function asked(
  env: ManifestInput['env'],
  used: ReadonlySet<string>,
  refusal: (name: string) => VariableRefusal | null,
) {
  const names = [...used].flatMap((name) => (name.startsWith('env.') ? [name.slice('env.'.length)] : []));
  return Object.fromEntries(names.flatMap((name) => (refusal(name) === null ? [[name, env[name]]] : [])));
}

/** The day that is meant in each zone. */
function dayFor({ now, day }: Pick<ManifestInput, 'now' | 'day'>): (zone: string) => number {
  // Thousands of entries share a few zones.
  const known = new Map<string, number>();
  return (zone) => {
    if (day !== undefined) return day;
    if (now === undefined) throw new InternalError('hours depend on the date, and no date was given');
    const found = known.get(zone) ?? dayAt(zone, now);
    known.set(zone, found);
    return found;
  };
}

/** In the order in which they are named. A directory stands for the files in it. */
async function readOverlays(paths: readonly string[], system: FileSystem) {
  const each = [];
  for (const path of paths) each.push(await readFiles([path], system));
  return {
    files: each.flatMap(({ files }) => files),
    whole: each.every(({ whole }) => whole),
    diagnostics: each.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** A warning and no error: the service may know other names. */
function checkCountries(entries: readonly DeclaredEntry[], emit: Emit): void {
  for (const { kind, value, path } of entries) {
    const conditions = kind === ORDERED && isObject(value) ? value['conditions'] : undefined;
    const geolocation = isObject(conditions) ? conditions['geolocation'] : undefined;
    const places = isObject(geolocation) ? geolocation['values'] : undefined;
    for (const [index, place] of (isList(places) ? places : []).entries()) {
      if (!isObject(place)) continue;
      const { country, country_code: code } = place;
      const here = [...path, 'conditions', 'geolocation', 'values', index];
      if (typeof country === 'string' && country !== '' && countryCode(country) === undefined) {
        const message = `no country is known by the name ${JSON.stringify(country)}`;
        emit({
          ...at([...here, 'country'], 'value', 'not-allowed', message, countryRemedy(country)),
          severity: 'warning',
        });
      }
      if (typeof code === 'string' && code !== '' && code !== code.toUpperCase() && isCountryCode(code)) {
        const message = `the country code ${JSON.stringify(code)} is in small letters`;
        const remedy = `write \`${code.trim().toUpperCase()}\`, as chatform compares and sends it`;
        emit({ ...at([...here, 'country_code'], 'value', 'bad-format', message, remedy), severity: 'warning' });
      } else if (typeof code === 'string' && code !== '' && !isCountryCode(code)) {
        const message = `no country has the code ${JSON.stringify(code)}`;
        emit({
          ...at([...here, 'country_code'], 'value', 'not-allowed', message, countryCodeRemedy(code)),
          severity: 'warning',
        });
      }
    }
  }
}
