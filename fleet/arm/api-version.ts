/** For reading AKS clusters and their credentials; stable, any would do. Fleet's own is in the model. */
export const AKS_API_VERSION = '2025-05-01';
