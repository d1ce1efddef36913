/**
 * kubectl/: `setpoint kubectl`, so that tutorials work on a machine that has only Node.
 *
 * It runs the kubectl of the machine, or the built-in one (`builtin-kubectl.ts`) if none is
 * installed. `verbs/` has one file per command, `kubectl-session.ts` what they share,
 * `api-resources.ts` the kinds of the server, `print/` the output formats.
 *
 * The built-in one has the output and the exit codes of kubectl for its commands (tests compare
 * with recordings of kubectl 1.36), refuses all others, and writes objects as kubectl does, so that
 * the real kubectl can continue with them.
 */
export { type ApiObject, ApiResources } from './api-resources.ts'
export { runKubectl } from './run-kubectl.ts'
