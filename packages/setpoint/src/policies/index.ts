/**
 * policies/: the objects of `.policy`: admission policies and their bindings. The API server
 * evaluates their expressions, so no server of this program is needed.
 *
 * `policyObjects` is a pure function: `setpoint generate` writes its objects. `start/` applies them
 * with `installPolicies` in a process with `install: true`.
 *
 * The same operators give the same objects. A process without `install` neither writes nor reads
 * policies, and needs no permission for them.
 */
export { installPolicies } from './install-policies.ts'
export { policyObjects, type PolicyObject, type PolicyObjectOptions } from './policy-objects.ts'
