import { AzurermBackend, LocalBackend, type Construct } from '../constructs/cdk.js';

/** Where Terraform keeps its state. */
export type BackendSettings =
  | {
      readonly kind: 'local';
      /** Seen from the stack's folder. @default - beside cdktf.json */
      readonly path?: string | undefined;
    }
  | {
      readonly kind: 'azurerm';
      readonly resourceGroupName: string;
      readonly storageAccountName: string;
      readonly containerName: string;
      readonly key: string;
    };

/**
 * Declares the backend. The path of a local one is relative to the synthesized stack
 * (`cdktf.out/stacks/<name>`): cdktf's own default is absolute, which makes the same code synthesize
 * differently on each machine. It leads out of `cdktf.out`, so that deleting that loses no state.
 */
export function declareBackend(stack: Construct, settings: BackendSettings): void {
  if (settings.kind === 'local') {
    new LocalBackend(stack, {
      path: settings.path ?? `../../../terraform.${stack.node.id}.tfstate`,
    });
    return;
  }
  const { resourceGroupName, storageAccountName, containerName, key } = settings;
  new AzurermBackend(stack, { resourceGroupName, storageAccountName, containerName, key });
}
