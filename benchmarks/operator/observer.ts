import { get, type Agent } from 'node:https'
import { createInterface } from 'node:readline'
import { send } from '../apiserver/load.ts'

interface Metadata {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly generation?: number
  readonly resourceVersion: string
  readonly ownerReferences?: readonly { readonly name: string; readonly controller?: boolean }[]
}

interface ApplicationSeen {
  readonly metadata: Metadata
  readonly spec: { readonly image: string; readonly replicas: number; readonly port: number }
  readonly status?: { readonly url?: string; readonly observedGeneration?: number }
}

interface ContainerSeen {
  readonly image: string
  readonly ports?: readonly { readonly containerPort: number }[]
}

interface DeploymentSeen {
  readonly metadata: Metadata
  readonly spec: {
    readonly replicas: number
    readonly template: { readonly spec: { readonly containers: readonly ContainerSeen[] } }
  }
}

interface ServiceSeen {
  readonly metadata: Metadata
  readonly spec: { readonly ports: readonly { readonly port: number }[] }
}

interface WatchEvent {
  readonly type: string
  readonly object: { readonly metadata: Metadata }
}

/** The cluster that the observer watches. */
interface Target {
  readonly url: string
  readonly agent: Agent
}

/**
 * The state of the cluster as the harness sees it through its own watches. The time of a change is
 * the arrival of its event here, which is the same for every program.
 */
export class Observer implements Disposable {
  readonly applications = new Map<string, ApplicationSeen>()
  readonly deployments = new Map<string, DeploymentSeen>()
  readonly services = new Map<string, ServiceSeen>()
  readonly #waiting = new Set<(key: string) => void>()
  readonly #close = new AbortController()

  /** Resolves when all watches are open. */
  async open(target: Target): Promise<void> {
    const kinds = [
      ['/apis/bench.example.com/v1/applications', this.applications],
      ['/apis/apps/v1/deployments', this.deployments],
      ['/api/v1/services', this.services],
    ] as const
    for (const [path, seen] of kinds) {
      await this.#watch(target, path, seen)
    }
  }

  /**
   * Whether an Application has a Deployment that matches its spec, a Service, and a ready status.
   */
  isReconciled(key: string): boolean {
    const application = this.applications.get(key)
    const deployment = this.deployments.get(key)
    const service = this.services.get(key)
    if (application === undefined || deployment === undefined || service === undefined) return false
    const { metadata, spec, status } = application
    const [container] = deployment.spec.template.spec.containers
    return (
      isOwned(deployment) &&
      isOwned(service) &&
      deployment.spec.replicas === spec.replicas &&
      container?.image === spec.image &&
      container.ports?.[0]?.containerPort === spec.port &&
      service.spec.ports.length === 1 &&
      service.spec.ports[0]?.port === spec.port &&
      status?.url === `http://${metadata.name}.${metadata.namespace}.svc` &&
      status.observedGeneration === metadata.generation
    )
  }

  /**
   * Resolves when the goal has been true once for every key; rejects after `timeoutMs` with the
   * number of remaining keys.
   */
  async until(
    keys: readonly string[],
    goal: (key: string) => boolean,
    timeoutMs: number,
  ): Promise<number> {
    const left = new Set(keys)
    return new Promise((resolve, reject) => {
      const check = (key: string): void => {
        if (left.has(key) && goal(key)) left.delete(key)
        if (left.size === 0) finish()
      }
      const finish = (): void => {
        this.#waiting.delete(check)
        clearTimeout(timer)
        resolve(performance.now())
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(check)
        const [first] = left
        const what = `${left.size} of ${keys.length} did not reach the expected state (${first ?? ''})`
        reject(new Error(`${what} within ${timeoutMs / 1000} s`))
      }, timeoutMs)
      this.#waiting.add(check)
      for (const key of keys) check(key)
    })
  }

  [Symbol.dispose](): void {
    this.#close.abort()
  }

  async #watch(
    target: Target,
    path: string,
    seen: Map<string, { readonly metadata: Metadata }>,
  ): Promise<void> {
    const { code, text } = await send(target, { method: 'GET', path })
    if (code !== 200) throw new Error(`${path}: ${code} ${text}`)
    const list = JSON.parse(text) as {
      metadata: Metadata
      items: readonly { metadata: Metadata }[]
    }
    for (const item of list.items) seen.set(keyOf(item.metadata), item)
    const query = `watch=1&timeoutSeconds=7200&resourceVersion=${list.metadata.resourceVersion}`
    const { agent, url } = target
    const sent = get(`${url}${path}?${query}`, { agent, signal: this.#close.signal })
    await new Promise<void>((resolve, reject) => {
      sent.on('error', (error) => {
        if (!this.#close.signal.aborted) reject(error)
      })
      sent.on('response', (answer) => {
        const lines = createInterface({ input: answer })
        // The watch ends with its control plane. If it ends earlier, the goals time out.
        lines.on('error', () => undefined)
        lines.on('line', (line) => this.#received(seen, line))
        resolve()
      })
    })
  }

  #received(seen: Map<string, { readonly metadata: Metadata }>, line: string): void {
    const { type, object } = JSON.parse(line) as WatchEvent
    if (type === 'ERROR') throw new Error(`a watch of the harness failed: ${line}`)
    const key = keyOf(object.metadata)
    if (type === 'DELETED') seen.delete(key)
    else seen.set(key, object)
    for (const check of [...this.#waiting]) check(key)
  }
}

function keyOf({ namespace, name }: Metadata): string {
  return `${namespace}/${name}`
}

function isOwned({ metadata }: { readonly metadata: Metadata }): boolean {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  return owner?.name === metadata.name
}
