/**
 * The one file that imports cdktf and constructs, so that a change of framework (or of its name: the
 * same sources run on `cdktn`) is made here.
 */
export {
  Annotations,
  App,
  AzurermBackend,
  DataResource,
  Fn,
  LocalBackend,
  TerraformAsset,
  AssetType,
  TerraformIterator,
  TerraformLocal,
  TerraformOutput,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
  Token,
  VariableType,
} from 'cdktf';
export type { ITerraformDependable, LocalExecProvisioner } from 'cdktf';
export { Construct } from 'constructs';
