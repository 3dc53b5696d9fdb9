import { OBJECT_CONVENTIONS } from '../../model/object-conventions.js';
import { deploymentObject, serviceObject, type ObjectSetting } from '../native/objects.js';
import { blockYaml } from './config-text.js';

/** A file beside the config, from which ClusterLoader2 makes objects. */
export interface ObjectTemplate {
  /** Relative to the config. */
  readonly file: string;
  readonly text: string;
}

/** What tells one version of the workload's Deployments from another. */
export interface DeploymentVersion {
  readonly replicas: number;
  /** Another one makes every pod anew. */
  readonly restartGeneration: number;
}

/** The template of the Services. */
export function serviceTemplate(setting: ObjectSetting): ObjectTemplate {
  return { file: 'service.yaml', text: templateText(serviceObject(setting, ANY_PLACE)) };
}

/**
 * The template of one version of the Deployments. Each version is a file of its own: a patch phase
 * then needs no parameters, and whoever reads the folder sees what is applied.
 * @see data/clusterloader2.md §6.2
 */
export function deploymentTemplate(
  setting: ObjectSetting,
  { replicas, restartGeneration }: DeploymentVersion,
): ObjectTemplate {
  const workload = { ...setting.workload, replicasPerDeployment: replicas };
  const text = templateText(deploymentObject({ ...setting, workload }, ANY_PLACE));
  const { restartGenerationAnnotation: name } = OBJECT_CONVENTIONS;
  return {
    file: `deployment-g${restartGeneration}-r${replicas}.yaml`,
    text: text.replace(`${name}: "0"`, `${name}: "${restartGeneration}"`),
  };
}

/**
 * The objects are those of the native engine, with a placeholder in the place of their name: at most
 * one on a line, inside quotes, and none in `apiVersion` and `kind`.
 */
function templateText(object: object): string {
  return blockYaml(object);
}

/** ClusterLoader2 overwrites name and namespace of the object itself; labels and selectors it fills in. */
const ANY_PLACE = { namespace: '{{.Namespace}}', name: '{{.Name}}' };
