import { start, type AnyOperator, type AnyResourceDefinition, type RunReport } from 'setpoint'
import { Client, connectionFromKubeconfig, type Connection } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { CustomResourceDefinition, Namespace } from 'setpoint/kinds'
import { authorityOne } from '../../packages/setpoint/src/host/testdata/certificates.ts'
import { FaultProxy } from './fault-proxy.ts'
import type { Ground, GroundName } from './grounds.ts'
import { isList, type ProxiedRequest } from './proxied-request.ts'
import { type AccountName, createAccount, removeAccount, tokenOf } from './service-account.ts'
import type { OperatorProcess, ProcessOptions, World } from './world.ts'

/** An object that something may keep from going away. */
interface Held {
  readonly metadata: { readonly name: string; readonly finalizers?: readonly string[] }
}

/** A world on some ground: a namespace, an API group, and the processes that were started. */
export class OperatedWorld implements World {
  readonly namespace: string
  readonly group: string
  readonly client: Client
  readonly #ground: Ground
  readonly #processes: OperatorProcess[] = []
  readonly #accounts: AccountName[] = []
  readonly #installed: AnyResourceDefinition[] = []

  constructor(ground: Ground) {
    const id = ground.host.uuid().slice(0, 8)
    this.#ground = ground
    this.namespace = `test-${id}`
    this.group = `test-${id}.example.com`
    const { host, connection } = ground
    this.client = new Client(host, { ...connection, namespace: this.namespace })
  }

  get name(): GroundName {
    return this.#ground.name
  }

  get host(): Host {
    return this.#ground.host
  }

  /** Makes what every test needs. */
  async prepare(): Promise<void> {
    const { host, folder } = this.#ground
    await host.makeDirectory(folder)
    await this.client.create(Namespace, { metadata: { name: this.namespace } })
  }

  async install(...definitions: readonly AnyResourceDefinition[]): Promise<void> {
    for (const definition of definitions) {
      const crd = definition.crd()
      this.#installed.push(definition)
      await this.client.create(CustomResourceDefinition, crd)
    }
    for (const definition of definitions) {
      await this.eventually(() => this.client.listAll(definition, { namespace: this.namespace }))
    }
  }

  async start(
    operators: readonly AnyOperator[],
    options: ProcessOptions = {},
  ): Promise<OperatorProcess> {
    const { host: usual, hosts, upstream, openFront, folder } = this.#ground
    const { pace, election, gracePeriod, rules } = options
    const host = pace === undefined ? usual : hosts[pace]
    const account = { name: `operator-${this.#accounts.length}`, namespace: this.namespace }
    this.#accounts.push(account)
    await createAccount(this.client, account, rules)
    const tokenFile = `${folder}/${account.name}`
    let token = await tokenOf(this.client, account)
    await usual.writeFile(tokenFile, token)
    const faults = new FaultProxy(upstream)
    const port = await faults.listen(openFront)
    const connection = await this.#connection(host, port, tokenFile)
    const reports: RunReport[] = []
    const onRunEnd = (report: RunReport): void => void reports.push(report)
    const namespaced =
      election === undefined ? {} : { election: { ...election, namespace: this.namespace } }
    const running = await start(operators, {
      host,
      connection,
      onRunEnd,
      gracePeriod,
      ...namespaced,
    })
    const process: OperatorProcess = {
      running,
      faults,
      reports,
      ...countsOf(faults),
      renewToken: async () => {
        const old = token
        token = await tokenOf(this.client, account)
        await usual.writeFile(tokenFile, token)
        return old
      },
      stop: async () => {
        await running.stop()
        await faults.close()
      },
    }
    this.#processes.push(process)
    return process
  }

  async eventually(assertion: () => unknown): Promise<void> {
    const { host, lookMs, looksMax } = this.#ground
    for (let looks = 1; ; looks += 1) {
      try {
        await assertion()
        return
      } catch (error) {
        if (looks >= looksMax) throw error
        await host.sleep(lookMs)
      }
    }
  }

  quiet(): Promise<void> {
    const isWork = ({ path }: ProxiedRequest): boolean => !isElection(path)
    const proxies = this.#processes.map(({ faults }) => faults)
    return this.#ground.calm({
      count: () => proxies.reduce((sum, { requests }) => sum + requests.filter(isWork).length, 0),
      isBusy: () => proxies.some(({ isBusy }) => isBusy),
    })
  }

  async restartServer({ faults }: OperatorProcess): Promise<void> {
    if (this.#ground.restart !== undefined) return this.#ground.restart()
    await faults.close()
    await this.host.sleep(50)
    await faults.reopen()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.#processes) await process.stop()
    if (this.name === 'real') await this.#cleanUp()
    await this.#ground.dispose()
  }

  /** A real cluster is left as it was found. A definition is not gone before the last of its objects is. */
  async #cleanUp(): Promise<void> {
    const { client, namespace } = this
    for (const definition of this.#installed) {
      const objects = await client.listAll(definition, { namespace }).catch(() => [])
      for (const { metadata } of objects as readonly Held[]) {
        if (metadata.finalizers === undefined) continue
        await client.patch(definition, metadata, { merge: { metadata: { finalizers: null } } })
      }
      await client.delete(CustomResourceDefinition, definition.crd().metadata.name)
    }
    for (const account of this.#accounts) await removeAccount(client, account)
    await client.delete(Namespace, namespace)
  }

  async #connection(host: Host, port: number, tokenFile: string): Promise<Connection> {
    const cluster = {
      server: `https://127.0.0.1:${port}`,
      'certificate-authority-data': btoa(authorityOne),
    }
    const kubeconfig = {
      clusters: [{ name: 'proxied', cluster }],
      users: [{ name: 'operator', user: { tokenFile } }],
      contexts: [{ name: 'test', context: { cluster: 'proxied', user: 'operator' } }],
      'current-context': 'test',
    }
    return connectionFromKubeconfig(host, JSON.stringify(kubeconfig), { namespace: this.namespace })
  }
}

function countsOf(faults: FaultProxy): Pick<OperatorProcess, 'writes' | 'requests' | 'lists'> {
  const since = (): (() => ProxiedRequest[]) => {
    let seen = 0
    return () => {
      const fresh = faults.requests.slice(seen)
      seen = faults.requests.length
      return fresh.filter(({ path }) => !isElection(path))
    }
  }
  const [written, requested, listed] = [since(), since(), since()]
  return {
    writes: () =>
      written()
        .filter(({ method }) => method !== 'GET')
        .map(textOf),
    requests: () => requested().map(textOf),
    lists: () => listed().filter(isList).length,
  }
}

/** A Lease is renewed for ever: that is no work. */
function isElection(path: string): boolean {
  return path.includes('/leases')
}

/** Whether an object is made by a POST to its collection or a PATCH of itself is not what tests are about. */
function textOf({ path }: ProxiedRequest): string {
  const [resource = '', , subresource] = path.replace(/^.*\/namespaces\/[^/]+\//, '').split('/')
  return subresource === undefined ? resource : `${resource}/${subresource}`
}
