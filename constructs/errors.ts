import { errorCatalogue } from '../model/error-catalogue.js';
import type { UserError } from '../model/user-error.js';

const catalogue = errorCatalogue({
  'fleet/handler-not-built': {
    exit: 'bad-input',
    meaning: 'The program that Terraform calls at apply and destroy is not where it should be.',
  },
  'fleet/overlay-network': {
    exit: 'bad-input',
    meaning: 'A Fleet mesh was asked for over clusters whose pods have overlay addresses.',
  },
  'spec/no-virtual-network': {
    exit: 'bad-input',
    meaning: 'Clusters were to be connected whose virtual networks are not known.',
  },
});

/** The codes of this folder, for `docs/errors.md`. */
export const constructErrors = catalogue;

/** The bundle is missing: the sources were not built. */
export function handlerNotBuilt(file: string): UserError {
  return catalogue.make('fleet/handler-not-built', {
    problem: 'the Fleet handler that travels with the stack does not exist',
    given: file,
    next: 'run `npm run build:handler`, or hand the file to `new FleetHandler(…)`',
  });
}

/** With an overlay the mesh says Connected and no packet arrives. */
export function overlayInFleetMesh(path: string): UserError {
  return catalogue.make('fleet/overlay-network', {
    problem: 'a Fleet mesh needs pods with addresses of the network',
    given: 'podNetwork: "overlay"',
    expected: 'podNetwork: "flat"',
    next: 'leave podNetwork out, or leave FleetMesh out',
    where: { path },
  });
}

/** `ExistingClusters` were given without their VNets. */
export function clustersWithoutVnets(): UserError {
  return catalogue.make('spec/no-virtual-network', {
    problem: 'the virtual networks of these clusters are not known, so they cannot be connected',
    expected: 'clusters with their VNets',
    next: 'give `vnetId` for each cluster, or leave the network construct out',
  });
}
