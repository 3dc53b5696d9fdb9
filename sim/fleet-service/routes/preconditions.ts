import type { ServiceRequest } from '../answers.js';
import type { Stored } from '../state.js';

/** Whether `If-Match` and `If-None-Match` let a request through. @see fleet-api.md §7 */
export function preconditionHolds(request: ServiceRequest, stored: Stored | undefined): boolean {
  const match = request.headers['if-match'];
  const none = request.headers['if-none-match'];
  if (none === '*' && stored !== undefined) return false;
  if (match === undefined) return true;
  return stored !== undefined && (match === '*' || match === stored.eTag);
}
