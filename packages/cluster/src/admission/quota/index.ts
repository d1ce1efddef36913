/**
 * admission/quota/: resource quotas.
 *
 * A create or an increase that a quota of the namespace limits is added to `status.used` of the
 * quota, or refused when the rest is too small. admission/ runs the plugin last, so that only
 * writes that no other plugin refuses are counted. The limits are those in the quota's status:
 * until the controller in controllers/quota/ has set the status, a quota has no effect, as on a real
 * server. Only that controller lowers the usage. quota/ computes the usage of an object.
 */
export { resourceQuota, type WriteStatus } from './resource-quota-plugin.ts'
