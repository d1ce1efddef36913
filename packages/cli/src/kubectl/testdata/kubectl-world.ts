import { createCluster } from '@setpoint/cluster'
import { type VirtualHost, virtualHost } from 'setpoint/host'
import type { KubectlContext } from '../kubectl-session.ts'
import { builtinKubectl } from '../builtin-kubectl.ts'
import type { Outcome } from './replay-transcript.ts'

const same = (text: string): string => text
const style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }

/** A cluster in virtual time with the built-in kubectl. */
interface TestWorld extends AsyncDisposable {
  readonly host: VirtualHost
  /** Runs a command and waits until the cluster has settled. */
  run(args: readonly string[], more?: Partial<KubectlContext>): Promise<Outcome>
}

/** Creates a test world; the files are in `/project`, the current folder. */
export async function kubectlWorld(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<TestWorld> {
  const host = virtualHost({
    seed: 7,
    files: Object.fromEntries(
      Object.entries(files).map(([name, content]) => [`/project/${name}`, content]),
    ),
  })
  const cluster = await createCluster({ host })
  await host.makeDirectory('/project')
  await host.writeFile('/project/kubeconfig', cluster.kubeconfig())
  const run: TestWorld['run'] = async (args, more = {}) => {
    const outcome = { stdout: '', stderr: '' }
    const terminal = {
      print: (line: string) => void (outcome.stdout += `${line}\n`),
      printProgress: (line: string) => void (outcome.stderr += `${line}\n`),
      draw: (text: string) => void (outcome.stdout += text),
      isInteractive: false,
      isDrawable: false,
      style,
      columns: 100,
      rows: 40,
      ask: async () => '',
      openPage: () => () => undefined,
      onKey: () => () => undefined,
    }
    const { signal } = new AbortController()
    const exitCode = await builtinKubectl(
      {
        host,
        terminal,
        folder: '/project',
        signal,
        kubeconfig: '/project/kubeconfig',
        readInput: async () => '',
        edit: async () => 0,
        ...more,
      },
      args,
    )
    await cluster.settle()
    return { ...outcome, exitCode }
  }
  return {
    host,
    run,
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}
