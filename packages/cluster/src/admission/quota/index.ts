/**
 * admission/quota/: resource quotas.
 *
 * Creating or growing something that a quota of its namespace limits is charged to `status.used` of the
 * quota, or refused when there is not enough left. admission/ runs the plugin last, so that only writes
 * that nobody else refuses are charged. What a quota limits is what its status says: until the controller
 * in workloads/quota/ has filled the status in, a quota has no effect, as on a real server. Nothing is given back
 * here; that is the controller's work, too. How objects count is in quota/.
 */
export { resourceQuota, type WriteStatus } from './resource-quota-plugin.ts'
