/**
 * admission/pod-security/: the Pod Security Standards.
 *
 * The labels of a namespace set which level is enforced, which level causes warnings, and the
 * release of each. admission/ runs the plugin with the others. It has the messages of a real
 * server: pods are refused, workloads cause warnings, and a change of a namespace's labels causes
 * warnings about its existing pods. Audit levels are read but have no effect, because there is no
 * audit log.
 */
export { podSecurity } from './pod-security.ts'
