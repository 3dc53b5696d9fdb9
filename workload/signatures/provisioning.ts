import type { FailureSignature } from './signature.js';

const once = (name: string, pattern: RegExp, cause: string, action: string): FailureSignature =>
  known(name, pattern, 'once', cause, action);
const again = (name: string, pattern: RegExp, cause: string, action: string): FailureSignature =>
  known(name, pattern, 'yes', cause, action);
const never = (name: string, pattern: RegExp, cause: string, action: string): FailureSignature =>
  known(name, pattern, 'no', cause, action);

function known(
  name: string,
  pattern: RegExp,
  retry: FailureSignature['retry'],
  cause: string,
  action: string,
): FailureSignature {
  return { class: name, area: 'provisioning', patterns: [pattern], retry, cause, action };
}

/**
 * What goes wrong while clusters are made. From special to general: the extension race before any
 * operation in progress, the outbound failure at creation before a kubelet that did not boot.
 * @see data/failure-signatures.md §1, §5
 */
export const PROVISIONING_SIGNATURES: readonly FailureSignature[] = [
  again(
    'extension-put-race',
    /OperationNotAllowed[\s\S]*PutExtensionAddonHandler(\.PUT)?[\s\S]*in progress/i,
    'an add-on keeps working on the cluster for minutes after it is Succeeded',
    'wait until Succeeded stays, then add the pool',
  ),
  again(
    'subnet-busy',
    /ReferencedResourceNotProvisioned/i,
    'Azure changes one subnet of a network at a time',
    'wait 60 s and try again',
  ),
  again(
    'vnet-busy',
    /VirtualNetworkNotInSucceededState/i,
    'the network is being changed; a half-made cluster is left',
    'delete the half-made cluster, wait 60 s and try again',
  ),
  again(
    'subnet-handler',
    /Request to Subnet Handler Failed/i,
    'the network did not take the cluster over',
    'wait 60 s and try again',
  ),
  never(
    'parent-deleting',
    /deletion has been initiated on the cluster|only customer action allowed now is to retry cluster deletion/i,
    'the cluster is being deleted and cannot come back',
    'make the cluster anew',
  ),
  again(
    'capacity',
    /AKSCapacityHeavyUsage|AKS is experiencing heavy usage/i,
    'the region admits no more clusters just now',
    'wait four to six minutes, each cluster another time',
  ),
  never(
    'allocation',
    /OverconstrainedAllocationRequest|AllocationFailed|SkuNotAvailable/i,
    'the region has no such machines left',
    'take another VM family or region',
  ),
  again(
    'sku-lookup',
    /ListResourceSKUsFailed[\s\S]*(Client\.Timeout|request canceled|unable to resolve an endpoint|timed out|temporarily unavailable|connection reset)/i,
    'the list of machine sizes could not be read in time',
    'wait 60 s and try again',
  ),
  again(
    'cluster-exists',
    /(managed )?cluster .* already exists|ResourceAlreadyExists/i,
    'an earlier apply has made it',
    'read its state: Succeeded is done, otherwise delete it and make it anew',
  ),
  again(
    'nodepool-exists',
    /(agent ?pool|nodepool) .* already exists/i,
    'an earlier apply has made the pool',
    'read its state, and wait for it or make it anew',
  ),
  never(
    'cluster-quota',
    /QuotaExceeded[\s\S]*Maximum allowed[\s\S]*Current usage[\s\S]*Additional requested/i,
    'the subscription may have no more clusters in this region',
    'ask for more, or take another region',
  ),
  never(
    'core-quota',
    /QuotaExceeded|exceeding approved .* cores/i,
    'the subscription may have no more cores of this kind',
    'ask for more, or take fewer or smaller nodes',
  ),
  again(
    'nodepool-throttled',
    /\bThrottled\b|request limit has been exceeded|retry again in \d+ seconds/i,
    'too many requests to the resource provider',
    'wait as long as it says, 30 s if it does not',
  ),
  again(
    'lb-412',
    /412[\s\S]*Precondition ?Failed|PreconditionFailed[\s\S]*(VMSS|VirtualMachineScaleSet|LoadBalancer)/i,
    'two writers changed the scale set at once',
    'the cloud controller tries again by itself',
  ),
  never(
    'lb-role',
    /AuthorizationFailed[\s\S]*(roleAssignments\/write|subnets\/join|loadBalancers)/i,
    'the cluster may not change its network',
    'grant Network Contributor on the network, and the right to assign it',
  ),
  once(
    'outbound-at-create',
    /VMExtension(Error_|ProvisioningError[\s\S]*)OutboundConnFail/i,
    'a node booted while its subnet was being changed',
    'delete the half-made cluster, wait 120 s and try again',
  ),
  never(
    'kubelet-boot',
    /VMExtensionError_K[A-Za-z]+/i,
    'the kubelet of a node did not start',
    'read the provisioning log of the node',
  ),
  again(
    'nodepool-transient',
    /FailedToDeleteVMSSInstances|Code:\s*Canceled|Operation was canceled/i,
    'the resource provider gave an operation up',
    'wait 30 s and try again',
  ),
  again(
    'operation-in-progress',
    /OperationNotAllowed|AnotherOperationInProgress|RetryableError/i,
    'another operation works on the same thing',
    'wait 60 s and try again',
  ),
];
