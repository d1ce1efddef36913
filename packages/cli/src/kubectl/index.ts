/**
 * kubectl/: `setpoint kubectl`, so that a text about an operator works on a machine with nothing but Node.
 *
 * `commands/kubectl.ts` loads it. A kubectl of the machine is run as it is; where there is none, `small-kubectl.ts` answers.
 * `verbs/` has one file per command; `kubectl-session.ts` is what they share, `api-resources.ts` the kinds of the server,
 * `server-table.ts` and `object-printer.ts` what is printed.
 *
 * It promises kubectl's output and exit codes for what it knows (tests hold it to what kubectl 1.36 printed), refuses
 * everything else, and leaves objects as kubectl would, so that the real one can go on with them.
 */
export { type ApiObject, ApiResources } from './api-resources.ts'
export { runKubectl } from './run-kubectl.ts'
