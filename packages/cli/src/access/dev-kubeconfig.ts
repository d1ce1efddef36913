import { dirname, join } from 'node:path'
import { isSetpointError } from 'setpoint'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import type { Files, Host } from 'setpoint/host'

/** The folder of `setpoint dev` in the project's folder. */
export const devFolder = '.setpoint'

/** The kubeconfig of the running cluster in that folder. */
export const kubeconfigName = 'kubeconfig'

/** Timeout for the answer of a cluster that may run. */
const answerMs = 2_000

/** The kubeconfig that `setpoint dev` wrote for this folder or a parent of it. */
export async function findDevKubeconfig(host: Files, folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, devFolder, kubeconfigName)
    if ((await host.fileInfo(path)) !== undefined) return path
    if (dirname(at) === at) return undefined
  }
}

/**
 * The server of a kubeconfig that `setpoint dev` wrote, if it answers. A killed process leaves its
 * kubeconfig, and no server answers.
 */
export async function answeringServer(host: Host, path: string): Promise<string | undefined> {
  if ((await host.fileInfo(path)) === undefined) return undefined
  try {
    const text = new TextDecoder().decode(await host.readFile(path))
    const connection = await connectionFromKubeconfig(host, text)
    const { transport } = new Client(host, connection)
    await transport.text({ method: 'GET', path: '/version', what: 'version', timeout: answerMs })
    return connection.server
  } catch (error) {
    if (isSetpointError(error)) return undefined
    throw error
  }
}
