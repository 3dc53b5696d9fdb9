import { errorCatalogue } from '../../model/error-catalogue.js';
import type { UserError } from '../../model/user-error.js';

/** What can go wrong between us and Azure Resource Manager. */
export const azureErrors = errorCatalogue({
  'azure/no-credential': {
    exit: 'infrastructure',
    meaning: 'No way to log in to Azure works here.',
  },
  'azure/refused': {
    exit: 'infrastructure',
    meaning: 'Azure has refused a request for good.',
  },
  'azure/no-answer': {
    exit: 'infrastructure',
    meaning: 'Azure gave no usable answer within the time of a step.',
  },
  'azure/foreign-address': {
    exit: 'infrastructure',
    meaning: 'An answer names an address to which no token may be sent.',
  },
  'azure/bad-endpoint': {
    exit: 'bad-input',
    meaning: 'MESHSCALE_ARM_ENDPOINT, MESHSCALE_ARM_CA or HTTPS_PROXY cannot be used.',
  },
});

/** Every way to a token, and why it did not work. */
export const noCredential = (tried: readonly string[]): UserError =>
  azureErrors.make('azure/no-credential', {
    problem: 'no way to log in to Azure works here',
    given: tried.join('\n'),
    expected:
      'AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET or AZURE_FEDERATED_TOKEN_FILE; a ' +
      'managed identity; or an account that the Azure CLI is logged in to',
    next: 'log in with `az login`, or set these variables',
  });

/** A refusal that trying again does not mend. */
export const refused = (what: string, status: number, code: string, message: string): UserError =>
  azureErrors.make('azure/refused', {
    problem: `Azure has refused: ${what}`,
    given: `${status} ${code}${message === '' ? '' : `: ${message}`}`,
    next:
      status === 403
        ? 'the account needs "Azure Kubernetes Fleet Manager Contributor" on the resource group; a role ' +
          'that was just granted takes some minutes'
        : 'correct what the message speaks of, then try again',
  });

/** Nothing but faults until the time of the step was over. */
export const noAnswer = (what: string, last: string): UserError =>
  azureErrors.make('azure/no-answer', {
    problem: `Azure gave no usable answer in time: ${what}`,
    given: last,
    next: 'look at the network and at https://status.azure.com, then try again',
  });

/** A status address on a host that is not Azure's. */
export const foreignAddress = (url: string): UserError =>
  azureErrors.make('azure/foreign-address', {
    problem: 'an answer names an address to which no token may be sent',
    given: url.replace(/\?.*$/, ''),
    expected: 'an address of the endpoint itself or of management.azure.com',
    next: 'look at what stands between this machine and Azure',
  });

/** The endpoint of the environment. */
export const badEndpoint = (variable: string, given: string, expected: string): UserError =>
  azureErrors.make('azure/bad-endpoint', {
    problem: `${variable} cannot be used`,
    where: { path: variable },
    given,
    expected,
    next: `correct ${variable}, or unset it to talk to Azure`,
  });
