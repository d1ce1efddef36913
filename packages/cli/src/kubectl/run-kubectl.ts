import { dirname, join } from 'node:path'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
} from '../command/index.ts'
import { findProgram, readInput, runAttached } from '../system/index.ts'
import { installHint } from './kubectl-problem.ts'
import { smallKubectl } from './small-kubectl.ts'

/** Set to `small`, it keeps the real kubectl from being used, and nobody has to be told that it is missing. */
const choice = 'SETPOINT_KUBECTL'

/**
 * `setpoint kubectl ...`: the kubectl of this machine, or our small one, on the cluster that `setpoint dev` runs here unless
 * the line or the environment names another one.
 */
export async function runKubectl(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const { host, terminal } = context
  const kubeconfig = await kubeconfigFor(context, input.arguments)
  const wantsSmall = host.env(choice) === 'small'
  const program = wantsSmall ? undefined : await findProgram(host, 'kubectl')
  if (program === undefined) {
    const missing = `kubectl is not installed: setpoint answers instead. To install it: ${installHint}`
    if (!wantsSmall) terminal.note(terminal.style.dim(missing))
    return smallKubectl({ ...context, kubeconfig, readInput, edit: editFile }, input.arguments)
  }
  // A kubectl that is a script around this very command must not come back for ever.
  const env = { [choice]: 'small', ...(kubeconfig === undefined ? {} : { KUBECONFIG: kubeconfig }) }
  // Its exit code is its own: that of a command in a container may be any number.
  return (await runAttached(program, input.arguments, { env })) as ExitCode

  async function editFile(file: string): Promise<number> {
    const isWindows = host.env('OS') === 'Windows_NT'
    const editor = host.env('KUBE_EDITOR') ?? host.env('EDITOR') ?? (isWindows ? 'notepad' : 'vi')
    // An editor may have arguments of its own, which a shell takes apart.
    return isWindows
      ? runAttached('cmd', ['/C', `${editor} "${file}"`])
      : runAttached('sh', ['-c', `${editor} "$0"`, file])
  }
}

/** Words with which a line names a cluster, or needs none. */
const ownWords =
  /^(?:--(?:kubeconfig|context|cluster|server|help)(?:=.*)?|-s|-h|help|config|completion)$/

/**
 * The kubeconfig of the `setpoint dev` that runs in this project; nothing when another one is named. A line that names
 * none must not reach the cluster that kubectl would take: that may be one that others use.
 */
async function kubeconfigFor(
  { host, folder }: Pick<CommandContext, 'host' | 'folder'>,
  args: readonly string[],
): Promise<string | undefined> {
  const isNamed = args.some((arg) => /^--kubeconfig(?:=|$)/.test(arg))
  if (isNamed || (host.env('KUBECONFIG') ?? '') !== '') return undefined
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.setpoint', 'kubeconfig')
    if ((await host.fileInfo(path)) !== undefined) return path
    if (dirname(at) === at) break
  }
  if (args.length === 0 || args.some((arg) => ownWords.test(arg))) return undefined
  throw new CommandError('setpoint dev does not run in this project, and no cluster is named', {
    hint: 'start setpoint dev in another terminal, or name a cluster: --context NAME, --kubeconfig FILE or KUBECONFIG',
  })
}
