import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
} from '../command/index.ts'
import { findDevKubeconfig } from '../access/index.ts'
import { findProgram, readInput, runAttached } from '../system/index.ts'
import { builtinKubectl } from './builtin-kubectl.ts'

/** The value `small` selects the built-in kubectl. */
const choiceVariable = 'SETPOINT_KUBECTL'

/**
 * `setpoint kubectl ...`: runs the kubectl of this machine, or the built-in one, on the cluster of
 * `setpoint dev`, unless the arguments or the environment select another cluster.
 */
export async function runKubectl(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const { host } = context
  const kubeconfig = await kubeconfigFor(context, input.arguments)
  const wantsSmall = host.env(choiceVariable) === 'small'
  const program = wantsSmall ? undefined : await findProgram(host, 'kubectl')
  if (program === undefined) {
    return builtinKubectl({ ...context, kubeconfig, readInput, edit: editFile }, input.arguments)
  }
  // Prevents endless recursion when the installed kubectl is a script that calls this command.
  const env = {
    [choiceVariable]: 'small',
    ...(kubeconfig === undefined ? {} : { KUBECONFIG: kubeconfig }),
  }
  // Any number: `kubectl exec` exits with the code of the command in the container.
  return (await runAttached(program, input.arguments, { env })) as ExitCode

  async function editFile(file: string): Promise<number> {
    const isWindows = host.env('OS') === 'Windows_NT'
    const editor = host.env('KUBE_EDITOR') ?? host.env('EDITOR') ?? (isWindows ? 'notepad' : 'vi')
    // EDITOR may contain arguments, which the shell splits.
    return isWindows
      ? runAttached('cmd', ['/C', `${editor} "${file}"`])
      : runAttached('sh', ['-c', `${editor} "$0"`, file])
  }
}

/** Arguments that select a cluster, or commands that need none. */
const clusterArguments =
  /^(?:--(?:kubeconfig|context|cluster|server|help)(?:=.*)?|-s|-h|help|config|completion)$/

/**
 * The kubeconfig of the `setpoint dev` that runs in this project; undefined when another cluster is
 * selected. Without one the command fails: the current context of kubectl may be a production
 * cluster.
 */
async function kubeconfigFor(
  { host, folder }: Pick<CommandContext, 'host' | 'folder'>,
  args: readonly string[],
): Promise<string | undefined> {
  const isNamed = args.some((arg) => /^--kubeconfig(?:=|$)/.test(arg))
  if (isNamed || (host.env('KUBECONFIG') ?? '') !== '') return undefined
  const dev = await findDevKubeconfig(host, folder)
  if (dev !== undefined) return dev
  if (args.length === 0 || args.some((arg) => clusterArguments.test(arg))) return undefined
  throw new CommandError(
    'setpoint dev is not running in this project, and no cluster is selected',
    {
      hint: 'start setpoint dev in another terminal, or select a cluster with --context, --kubeconfig or KUBECONFIG',
    },
  )
}
