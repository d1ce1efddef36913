// Shared by both programs: the cluster of KUBECONFIG, and informers that restart.
import { Agent } from 'node:https'
import { KubeConfig, makeInformer } from '@kubernetes/client-node'

/**
 * The library makes an agent, and so a connection, for every call. One agent with keep-alive is
 * what its users end up with.
 */
class Cluster extends KubeConfig {
  #agent

  async applySecurityAuthentication(context) {
    await super.applySecurityAuthentication(context)
    this.#agent ??= new Agent({ ...context.getAgent().options, keepAlive: true })
    context.setAgent(this.#agent)
  }
}

export function connect() {
  const cluster = new Cluster()
  cluster.loadFromDefault()
  return cluster
}

const restartMs = 1000

/** An informer that restarts a second after an error, as in the library's examples. */
export function informerOf(cluster, { path, list }) {
  const informer = makeInformer(cluster, path, list)
  informer.on('error', (error) => {
    console.error(`${path}: ${error?.message ?? error}`)
    setTimeout(() => void informer.start(), restartMs)
  })
  return informer
}
