/**
 * admission/pod-security/: the Pod Security Standards.
 *
 * The labels of a namespace say which level its pods are held to, what is only warned about, and of
 * which release. admission/ puts the plugin among the others. It promises the words of a real server:
 * pods are refused, workloads are warned about, and who labels a namespace hears about the pods that are
 * already there. Audit levels are read but have no effect, as nothing here writes an audit log.
 */
export { podSecurity } from './pod-security.ts'
