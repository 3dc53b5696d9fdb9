import { throwAll, type UserError } from '../../model/user-error.js';
import { badCl2Flag } from '../cl2/errors.js';
import { noImage } from '../cl2/executors/errors.js';
import {
  DEFAULT_RESOURCES,
  type JobResources,
  type JobSettings,
} from '../cl2/executors/job-settings.js';
import type { RunFlags } from './run-flags.js';

/** Where ClusterLoader2 is to run, and with what. */
export type ExecutorChoice =
  | { readonly kind: 'binary'; readonly settings: Readonly<Record<string, string>> }
  | { readonly kind: 'container'; readonly settings: JobSettings }
  | { readonly kind: 'job'; readonly settings: JobSettings };

/** The flags that say it. */
export type Cl2Flags = Pick<
  RunFlags,
  | 'target'
  | 'executor'
  | 'cl2Binary'
  | 'cl2Image'
  | 'cl2HelperImage'
  | 'cl2Command'
  | 'cl2Resources'
  | 'cl2NodeSelector'
  | 'cl2Set'
>;

/** Reads them all; throws everything that is wrong with them, at once. */
export function readCl2Flags(
  flags: Cl2Flags,
  env: Readonly<Record<string, string | undefined>>,
): ExecutorChoice {
  const errors: UserError[] = [];
  const report = (error: UserError): void => void errors.push(error);
  const kind = executorOf(flags.executor ?? 'binary', report);
  const settings = pairsOf('--cl2-set', flags.cl2Set ?? [], SETTING, 'CL2_SOMETHING=value', report);
  if (kind !== undefined) refuseIdle(flags, kind, report);
  if (kind === undefined || kind === 'binary') {
    throwAll(errors);
    return { kind: 'binary', settings };
  }
  const image = flags.cl2Image ?? env['MESHSCALE_CL2_IMAGE'] ?? '';
  if (image === '') report(noImage(kind));
  for (const [flag, name] of [
    ['--cl2-image', image],
    ['--cl2-helper-image', flags.cl2HelperImage ?? ''],
  ] as const) {
    if (name !== '' && !IMAGE.test(name)) report(badCl2Flag(`${flag} ${name}`, IMAGE_FORM));
  }
  const nodeSelector = pairsOf(
    '--cl2-node-selector',
    flags.cl2NodeSelector ?? [],
    LABEL,
    'label=value, such as agentpool=load',
    report,
  );
  const resources = resourcesOf(flags.cl2Resources, report);
  throwAll(errors);
  const { cl2Command: command, cl2HelperImage: helperImage } = flags;
  return { kind, settings: { image, command, helperImage, resources, nodeSelector, settings } };
}

type Report = (error: UserError) => void;

function executorOf(given: string, report: Report): ExecutorChoice['kind'] | undefined {
  if (given === 'binary' || given === 'container' || given === 'job') return given;
  report(badCl2Flag(`--executor ${given}`, 'binary, container or job'));
  return undefined;
}

/** A flag that would be read by nobody is a mistake about what will happen. */
function refuseIdle(flags: Cl2Flags, kind: ExecutorChoice['kind'], report: Report): void {
  const given: readonly (readonly [string, boolean, readonly ExecutorChoice['kind'][]])[] = [
    ['--cl2-binary', flags.cl2Binary !== undefined, ['binary']],
    ['--cl2-image', flags.cl2Image !== undefined, ['container', 'job']],
    ['--cl2-command', flags.cl2Command !== undefined, ['container', 'job']],
    ['--cl2-resources', flags.cl2Resources !== undefined, ['container', 'job']],
    ['--cl2-helper-image', flags.cl2HelperImage !== undefined, ['job']],
    ['--cl2-node-selector', (flags.cl2NodeSelector ?? []).length > 0, ['job']],
  ];
  for (const [flag, isGiven, kinds] of given) {
    if (!isGiven || kinds.includes(kind)) continue;
    report(
      badCl2Flag(`${flag} with --executor ${kind}`, `${flag} with ${kinds.join(' or ')} only`),
    );
  }
  if (kind === 'job' && flags.target === 'local') {
    const expected = 'binary or container: the mock nodes of a local mesh run no pods';
    report(badCl2Flag('--executor job with --target local', expected));
  }
}

function pairsOf(
  flag: string,
  texts: readonly string[],
  form: RegExp,
  expected: string,
  report: Report,
): Readonly<Record<string, string>> {
  const entries = texts.flatMap((text) => {
    const match = form.exec(text);
    if (match !== null) return [[match[1] ?? '', match[2] ?? ''] as const];
    report(badCl2Flag(`${flag} ${text}`, expected));
    return [];
  });
  return Object.fromEntries(entries);
}

function resourcesOf(given: string | undefined, report: Report): JobResources {
  const result = { ...DEFAULT_RESOURCES };
  for (const part of (given ?? '').split(',').filter((one) => one !== '')) {
    const [name = '', value = ''] = part.split('=');
    const field = RESOURCE_FIELDS[name];
    if (field === undefined || !QUANTITY.test(value)) {
      report(badCl2Flag(`--cl2-resources ${part}`, 'cpu=500m,memory=512Mi,memory-limit=2Gi'));
    } else result[field] = value;
  }
  return result;
}

const RESOURCE_FIELDS: Readonly<Record<string, keyof JobResources>> = {
  cpu: 'cpu',
  memory: 'memory',
  'memory-limit': 'memoryLimit',
};
const SETTING = /^(CL2_[A-Z0-9_]+)=(.*)$/;
const LABEL = /^([A-Za-z0-9][A-Za-z0-9./_-]*)=([A-Za-z0-9._-]*)$/;
/** @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/ */
const QUANTITY = /^\d+(\.\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/;
const IMAGE = /^[a-z0-9][a-z0-9._:/-]*(:[A-Za-z0-9_][A-Za-z0-9._-]*)?(@sha256:[0-9a-f]{64})?$/;
const IMAGE_FORM = 'an image such as registry.example/clusterloader2@sha256:…';
