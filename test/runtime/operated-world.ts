import { start, type AnyOperator, type AnyResourceDefinition, type RunReport } from 'setpoint'
import { Client, connectionFromKubeconfig, type Connection } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import {
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  Namespace,
  ValidatingWebhookConfiguration,
} from 'setpoint/kinds'
import { authorityOne } from '../../packages/setpoint/src/host/testdata/certificates.ts'
import { FaultProxy } from './fault-proxy.ts'
import type { Platform, PlatformName } from './platforms.ts'
import { isCheck, isList, type ProxiedRequest } from './proxied-request.ts'
import { type AccountName, createAccount, removeAccount, tokenOf } from './service-account.ts'
import type { OperatorProcess, ProcessOptions, World } from './world.ts'

/** An object that may have finalizers. */
interface FinalizedObject {
  readonly metadata: { readonly name: string; readonly finalizers?: readonly string[] }
}

/** A world: a namespace, an API group, and the started processes. */
export class OperatedWorld implements World {
  readonly namespace: string
  readonly group: string
  readonly client: Client
  readonly #platform: Platform
  readonly #processes: OperatorProcess[] = []
  readonly #accounts: AccountName[] = []
  readonly #installed: AnyResourceDefinition[] = []

  constructor(platform: Platform) {
    const id = platform.host.uuid().slice(0, 8)
    this.#platform = platform
    this.namespace = `test-${id}`
    this.group = `test-${id}.example.com`
    const { host, connection } = platform
    this.client = new Client(host, { ...connection, namespace: this.namespace })
  }

  get name(): PlatformName {
    return this.#platform.name
  }

  get host(): Host {
    return this.#platform.host
  }

  /** Creates the namespace and the API group of a test. */
  async prepare(): Promise<void> {
    const { host, folder } = this.#platform
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
    const { host: platformHost, hosts, upstream, openListener, folder } = this.#platform
    const { hostVariant, election, gracePeriod, rules, install = false, webhooks } = options
    if (install) {
      this.#installed.push(...operators.flatMap(({ declaration }) => declaration.definition ?? []))
    }
    const host = hostVariant === undefined ? platformHost : hosts[hostVariant]
    const account = { name: `operator-${this.#accounts.length}`, namespace: this.namespace }
    this.#accounts.push(account)
    await createAccount(this.client, account, rules)
    const tokenFile = `${folder}/${account.name}`
    let token = await tokenOf(this.client, account)
    await platformHost.writeFile(tokenFile, token)
    const faults = new FaultProxy(upstream)
    const port = await faults.listen(openListener)
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
      install,
      webhooks,
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
        await platformHost.writeFile(tokenFile, token)
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
    const { host, checkIntervalMs, checksMax } = this.#platform
    for (let checks = 1; ; checks += 1) {
      try {
        await assertion()
        return
      } catch (error) {
        if (checks >= checksMax) throw error
        await host.sleep(checkIntervalMs)
      }
    }
  }

  settle(): Promise<void> {
    const isWork = ({ path }: ProxiedRequest): boolean => !isElection(path)
    const proxies = this.#processes.map(({ faults }) => faults)
    return this.#platform.settle({
      count: () => proxies.reduce((sum, { requests }) => sum + requests.filter(isWork).length, 0),
      isBusy: () => proxies.some(({ isBusy }) => isBusy),
    })
  }

  async restartServer({ faults }: OperatorProcess): Promise<void> {
    if (this.#platform.restart !== undefined) return this.#platform.restart()
    await faults.close()
    await this.host.sleep(50)
    await faults.reopen()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.#processes) await process.stop()
    if (this.name === 'real') await this.#cleanUp()
    await this.#platform.dispose()
  }

  /** Cleans up a real cluster. A CRD is deleted after the last of its objects. */
  async #cleanUp(): Promise<void> {
    const { client, namespace } = this
    for (const definition of this.#installed) {
      const objects = await client.listAll(definition, { namespace }).catch(() => [])
      for (const { metadata } of objects as readonly FinalizedObject[]) {
        if (metadata.finalizers === undefined) continue
        await client.patch(definition, metadata, { merge: { metadata: { finalizers: null } } })
      }
      await client.delete(CustomResourceDefinition, definition.crd().metadata.name)
    }
    for (const kind of [ValidatingWebhookConfiguration, MutatingWebhookConfiguration]) {
      for (const { metadata } of await client.listAll(kind)) {
        if (metadata.name.includes(this.group)) await client.delete(kind, metadata.name)
      }
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
      return fresh.filter((request) => !isElection(request.path) && !isCheck(request))
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

/** Renewals of the Lease never end and do not count as work. */
function isElection(path: string): boolean {
  return path.includes('/leases')
}

/** Tests do not distinguish a POST to the collection from a PATCH of the object. */
function textOf({ path }: ProxiedRequest): string {
  const [resource = '', , subresource] = path.replace(/^.*\/namespaces\/[^/]+\//, '').split('/')
  return subresource === undefined ? resource : `${resource}/${subresource}`
}
