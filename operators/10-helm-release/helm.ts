import { isProgramMissing, type Workspace } from 'setpoint/host'
import { redacted } from './values.ts'

/** A run of helm that failed, with what helm wrote. */
export class HelmError extends Error {}

/** There is no helm on this machine. */
export class HelmMissingError extends Error {}

const missing =
  'helm is not installed: install Helm 3 (https://helm.sh/docs/intro/install) on the PATH of the ' +
  'operator, or set HELM_BIN to its path'

/** The program helm in a workspace, with its own configuration and access to the cluster. */
export class Helm {
  readonly workspace: Workspace
  /** Texts that must not be in an error. */
  secrets: readonly string[] = []

  private constructor(workspace: Workspace) {
    this.workspace = workspace
  }

  static async in(workspace: Workspace, kubeconfig: string): Promise<Helm> {
    await workspace.write('kubeconfig', kubeconfig)
    return new Helm(workspace)
  }

  /** Runs helm and returns its output. */
  async run(...args: string[]): Promise<string> {
    const { workspace } = this
    const at = (name: string): string => `${workspace.path}/${name}`
    const env = {
      KUBECONFIG: at('kubeconfig'),
      HELM_CACHE_HOME: at('cache'),
      HELM_CONFIG_HOME: at('config'),
      HELM_DATA_HOME: at('data'),
      HELM_REPOSITORY_CONFIG: at('repositories.yaml'),
      HELM_REGISTRY_CONFIG: at('registry.json'),
      HELM_DRIVER: 'secret',
    }
    try {
      const program = process.env['HELM_BIN'] ?? 'helm'
      const { exitCode, stdout, stderr } = await workspace.run(program, { args, env })
      if (exitCode === 0) return stdout
      throw new HelmError(redacted(failureIn(stdout, stderr), this.secrets))
    } catch (error) {
      if (isProgramMissing(error)) throw new HelmMissingError(missing, { cause: error })
      throw error
    }
  }
}

/** What helm says at the end, without the warnings before it. `repo update` reports on stdout. */
function failureIn(stdout: string, stderr: string): string {
  const lines = stderr.trim().split('\n')
  const start = lines.findIndex((line) => line.startsWith('Error: '))
  const causes = stdout.matchAll(/^\.\.\.(Unable to .*(?:\n\t.*)*)/gm)
  return [...lines.slice(Math.max(0, start)), ...[...causes].map(([, text]) => text)]
    .join('\n')
    .replace(/^Error: /, '')
    .slice(0, 1000)
}
