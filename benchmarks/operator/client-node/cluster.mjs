// What both programs share: the cluster that KUBECONFIG names, and informers that come back.
import { Agent } from 'node:https'
import { KubeConfig, makeInformer } from '@kubernetes/client-node'

/**
 * The library makes an agent for every call, and so a connection. One agent that keeps connections
 * is what its users arrive at.
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

/** Objects kept up to date; it is started again a second after an error, as the library's examples do. */
export function informerOf(cluster, { path, list }) {
  const informer = makeInformer(cluster, path, list)
  informer.on('error', (error) => {
    console.error(`${path}: ${error?.message ?? error}`)
    setTimeout(() => void informer.start(), restartMs)
  })
  return informer
}
