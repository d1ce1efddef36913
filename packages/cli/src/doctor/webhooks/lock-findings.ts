import { type Namespace, selects } from 'setpoint/kinds'
import { counted } from '../../command/index.ts'
import { type Finding, note, wrong } from '../finding.ts'
import {
  type AdmissionConfiguration,
  isOwnConfiguration,
  type OwnNames,
  titleOf,
} from './called-servers.ts'

type Webhook = NonNullable<AdmissionConfiguration['webhooks']>[number]
type Rule = NonNullable<Webhook['rules']>[number]

/** Resources that a cluster itself needs to write, by API group. */
const neededResources: Readonly<Record<string, readonly string[]>> = {
  '': ['pods', 'nodes', 'services', 'endpoints', 'configmaps', 'secrets', 'serviceaccounts'],
  apps: ['deployments', 'daemonsets', 'replicasets', 'statefulsets'],
  'coordination.k8s.io': ['leases'],
  'discovery.k8s.io': ['endpointslices'],
}

/** Without these writes no pod starts. */
const startResources: Readonly<Record<string, readonly string[]>> = {
  '': ['pods', 'serviceaccounts'],
  apps: ['replicasets'],
}

const secondsSlow = 30

/**
 * Webhooks that can lock a cluster: if their server does not respond, the API server refuses what
 * the cluster needs, or what the server itself needs to start.
 */
export function lockFindings(
  configurations: readonly AdmissionConfiguration[],
  { own, namespaces }: { readonly own: OwnNames; readonly namespaces: readonly Namespace[] },
): Finding[] {
  return configurations.flatMap((configuration) => {
    const isOwn = isOwnConfiguration(configuration, own)
    const locks = (configuration.webhooks ?? []).flatMap((webhook) =>
      lockProblems(webhook, namespaces).map(({ message, fix, isCertain }): Finding => {
        const text = `the webhook ${webhook.name} ${message}`
        return isOwn && isCertain
          ? wrong(titleOf(configuration), text, fix)
          : note(titleOf(configuration), text, fix)
      }),
    )
    return locks
  })
}

interface Lock {
  readonly message: string
  readonly fix: string
  readonly isCertain: boolean
}

const narrowFix =
  'name the resources in its rules, exclude kube-system by namespaceSelector, or set failurePolicy: Ignore'

function lockProblems(webhook: Webhook, namespaces: readonly Namespace[]): Lock[] {
  const { rules = [], matchConditions = [], timeoutSeconds = 10 } = webhook
  const isCertain = matchConditions.length === 0
  const inSystem =
    rules.some((rule) => isNeeded(rule, neededResources)) &&
    isSelected(webhook, namespaces, 'kube-system')
  const slow: Lock[] =
    inSystem && timeoutSeconds >= secondsSlow
      ? [
          {
            message: `delays writes that the cluster needs by up to ${counted(timeoutSeconds, 'second')} if its server does not respond`,
            fix: 'set timeoutSeconds to 10 or less',
            isCertain: false,
          },
        ]
      : []
  // The default of the API is Fail.
  if (webhook.failurePolicy === 'Ignore' || hasLabels(webhook.objectSelector)) return slow
  if (rules.some(isEverything) && isSelected(webhook, namespaces, 'kube-system')) {
    const message =
      'has failurePolicy Fail and matches all resources: without its server, the cluster cannot be changed'
    return [{ message, fix: narrowFix, isCertain }, ...slow]
  }
  const needed: Lock[] = inSystem
    ? [
        {
          message:
            'has failurePolicy Fail and matches resources in kube-system that the cluster needs',
          fix: narrowFix,
          isCertain,
        },
      ]
    : []
  return [...needed, ...ownPods(webhook, namespaces, isCertain), ...slow]
}

/** A server whose own pods need its review cannot start when no pod runs. */
function ownPods(webhook: Webhook, namespaces: readonly Namespace[], isCertain: boolean): Lock[] {
  const { rules = [], clientConfig } = webhook
  const namespace = clientConfig.service?.namespace
  if (namespace === undefined || namespace === 'kube-system') return []
  if (!rules.some((rule) => isNeeded(rule, startResources))) return []
  if (!isSelected(webhook, namespaces, namespace)) return []
  const message = `has failurePolicy Fail and reviews the pods of its own namespace ${namespace}: if none runs, none can start`
  return [{ message, fix: `exclude ${namespace} by namespaceSelector`, isCertain }]
}

function hasLabels(selector: Webhook['objectSelector']): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {}
  return Object.keys(matchLabels).length > 0 || matchExpressions.length > 0
}

function isSelected(
  { namespaceSelector }: Webhook,
  namespaces: readonly Namespace[],
  name: string,
): boolean {
  const found = namespaces.find(({ metadata }) => metadata.name === name)
  const labels = { 'kubernetes.io/metadata.name': name, ...found?.metadata.labels }
  return selects(namespaceSelector ?? {}, labels)
}

function isWrite({ operations = [] }: Rule): boolean {
  return operations.some((one) => one === '*' || one === 'CREATE' || one === 'UPDATE')
}

function isEverything(rule: Rule): boolean {
  const { apiGroups = [], resources = [] } = rule
  const isAll = resources.some((one) => one === '*' || one === '*/*')
  return isWrite(rule) && apiGroups.includes('*') && isAll
}

/** Whether a rule matches one of the resources. A rule for a subresource does not. */
function isNeeded(rule: Rule, needed: Readonly<Record<string, readonly string[]>>): boolean {
  const { apiGroups = [], resources = [] } = rule
  if (!isWrite(rule)) return false
  return Object.entries(needed).some(
    ([group, names]) =>
      apiGroups.some((one) => one === '*' || one === group) &&
      resources.some((one) => one === '*' || one === '*/*' || names.includes(one)),
  )
}
