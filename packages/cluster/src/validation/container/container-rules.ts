import { checkEnv, checkEnvFrom } from './check-container-env.ts'
import { checkVolumeDevices, checkVolumeMounts, type Volumes } from './container-mounts.ts'
import { checkRequirements } from './container-resources.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkLifecycle, checkProbes } from './probe-rules.ts'
import { labelProblems, portNameProblems, portNumberProblems } from '../fields/name-rules.ts'
import type { Container, PodOptions, Spec } from '../pod/pod-options.ts'
import { checkSecurityContext } from '../pod/security-context.ts'

/** The fields of the pod that the rules of containers need. */
export interface PodContext {
  readonly spec: Spec
  readonly volumes: Volumes
  readonly claimNames: ReadonlySet<string>
  readonly options: PodOptions
}

/** Protocols of ports, in the order of messages. */
export const protocols = ['SCTP', 'TCP', 'UDP']

const pullPolicies = ['Always', 'IfNotPresent', 'Never']

/** Checks when an image is pulled. */
export function checkPullPolicy(policy: string | undefined, at: FieldPath): void {
  if (policy === undefined || policy === '') at.required()
  else if (!pullPolicies.includes(policy)) at.notSupported(policy, pullPolicies)
}

/** The rules that all three types of containers share. */
function checkCommon(container: Container, at: FieldPath, pod: PodContext): void {
  const { name = '', image = '', terminationMessagePolicy: policy = '' } = container
  if (name === '') at.child('name').required()
  else at.child('name').invalidEach(name, labelProblems(name))
  if (image === '') at.child('image').required()
  if (policy === '') at.child('terminationMessagePolicy').required()
  else if (policy !== 'File' && policy !== 'FallbackToLogsOnError') {
    at.child('terminationMessagePolicy').notSupported(policy, ['File', 'FallbackToLogsOnError'])
  }
  checkPorts(container.ports ?? [], at.child('ports'))
  checkEnv(container.env ?? [], at.child('env'))
  checkEnvFrom(container.envFrom ?? [], at.child('envFrom'))
  checkVolumeMounts(container, at.child('volumeMounts'), pod.volumes)
  checkVolumeDevices(container, at.child('volumeDevices'), pod.volumes)
  checkPullPolicy(container.imagePullPolicy, at.child('imagePullPolicy'))
  checkRequirements(container.resources ?? {}, at.child('resources'), {
    claimNames: pod.claimNames,
    allowPartialPages: pod.options.allowPartialPages ?? false,
  })
  checkResizePolicies(container, at.child('resizePolicy'), pod.spec)
  if (container.securityContext !== undefined) {
    const hostUsers = pod.spec.hostUsers ?? true
    checkSecurityContext(container.securityContext, at.child('securityContext'), hostUsers)
  }
}

function checkPorts(ports: NonNullable<Container['ports']>, at: FieldPath): void {
  const names = new Set<string>()
  for (const [index, port] of ports.entries()) {
    const { name = '', containerPort = 0, hostPort = 0, protocol = '' } = port
    const place = at.index(index)
    if (name !== '') {
      const problems = portNameProblems(name)
      place.child('name').invalidEach(name, problems)
      if (problems.length === 0 && names.has(name)) place.child('name').duplicate(name)
      else if (problems.length === 0) names.add(name)
    }
    if (containerPort === 0) place.child('containerPort').required()
    else place.child('containerPort').invalidEach(containerPort, portNumberProblems(containerPort))
    if (hostPort !== 0) {
      place.child('hostPort').invalidEach(hostPort, portNumberProblems(hostPort))
    }
    if (protocol === '') place.child('protocol').required()
    else if (!protocols.includes(protocol))
      place.child('protocol').notSupported(protocol, protocols)
  }
}

/** Two containers cannot use the same host port. */
function checkHostPorts(containers: readonly Container[], at: FieldPath): void {
  const seen = new Set<string>()
  for (const [index, { ports = [] }] of containers.entries()) {
    for (const [portIndex, { hostPort = 0, hostIP = '', protocol = '' }] of ports.entries()) {
      if (hostPort === 0) continue
      const key = `${protocol}/${hostIP}/${hostPort}`
      if (!seen.has(key)) seen.add(key)
      else at.index(index).child('ports').index(portIndex).child('hostPort').duplicate(key)
    }
  }
}

function checkResizePolicies({ resizePolicy = [] }: Container, at: FieldPath, spec: Spec): void {
  const seen = new Set<string>()
  for (const [index, { resourceName = '', restartPolicy = '' }] of resizePolicy.entries()) {
    if (seen.has(resourceName)) at.index(index).duplicate(resourceName)
    seen.add(resourceName)
    if (resourceName === '') at.required()
    else if (resourceName !== 'cpu' && resourceName !== 'memory') {
      at.notSupported(resourceName, ['cpu', 'memory'])
    }
    if (restartPolicy === '') at.required()
    else if (restartPolicy !== 'NotRequired' && restartPolicy !== 'RestartContainer') {
      at.notSupported(restartPolicy, ['NotRequired', 'RestartContainer'])
    }
    if (spec.restartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'"
      at.invalid(restartPolicy, detail)
    }
  }
}

const restartPolicies = ['Always', 'Never', 'OnFailure']
const restartActions = ['Restart', 'RestartAllContainers']

function checkRestartRules(container: Container, at: FieldPath): void {
  const { restartPolicy, restartPolicyRules: rules = [] } = container
  if (restartPolicy === undefined) {
    if (rules.length === 0) return
    at.child('restartPolicy').required('must specify restartPolicy when restart rules are used')
  } else if (!restartPolicies.includes(restartPolicy)) {
    at.child('restartPolicy').notSupported(restartPolicy, restartPolicies)
  }
  if (rules.length > 20) at.child('restartPolicyRules').tooMany(rules.length, 20)
  for (const [index, { action = '', exitCodes }] of rules.entries()) {
    const place = at.child('restartPolicyRules').index(index)
    if (!restartActions.includes(action)) place.child('action').notSupported(action, restartActions)
    if (exitCodes === undefined) {
      place.child('exitCodes').required('must be specified')
      continue
    }
    const { operator = '', values = [] } = exitCodes
    if (operator !== 'In' && operator !== 'NotIn') {
      place.child('exitCodes', 'operator').notSupported(operator, ['In', 'NotIn'])
    }
    if (values.length > 255) place.child('exitCodes', 'values').tooMany(values.length, 255)
  }
}

/** The restart rules of an init container are checked only when it has a restart policy. */
function checkInitRestartRules(container: Container, at: FieldPath): void {
  const { restartPolicy, restartPolicyRules: rules = [] } = container
  if (restartPolicy !== undefined) return checkRestartRules(container, at)
  if (rules.length === 0) return
  at.child('restartPolicy').required('must specify restartPolicy when restart rules are used')
}

/** Checks the regular containers. */
export function checkContainers(pod: PodContext, at: FieldPath): void {
  const { containers = [], terminationGracePeriodSeconds: gracePeriod } = pod.spec
  if (containers.length === 0) return at.required()
  const names = new Set<string>()
  for (const [index, container] of containers.entries()) {
    const place = at.index(index)
    const { name = '', lifecycle } = container
    checkCommon(container, place, pod)
    if (names.has(name)) place.child('name').duplicate(name)
    else names.add(name)
    if (lifecycle !== undefined) checkLifecycle(lifecycle, place.child('lifecycle'), gracePeriod)
    checkProbes(container, place, gracePeriod)
    checkRestartRules(container, place)
  }
  checkHostPorts(containers, at)
}

const onlyForSidecars = 'may not be set for init containers without restartPolicy=Always'

/** Checks the init containers; with restartPolicy Always they are sidecars. */
export function checkInitContainers(pod: PodContext, at: FieldPath): void {
  const { initContainers = [], terminationGracePeriodSeconds: gracePeriod } = pod.spec
  const names = new Set((pod.spec.containers ?? []).map(({ name }) => name))
  for (const [index, container] of initContainers.entries()) {
    const place = at.index(index)
    const { name = '', lifecycle } = container
    const isSidecar = container.restartPolicy === 'Always'
    checkCommon(container, place, pod)
    checkInitRestartRules(container, place)
    if (names.has(name)) place.child('name').duplicate(name)
    else if (name !== '') names.add(name)
    // A real server reports the ports of each init container with the index of the first.
    checkHostPorts([container], at)
    if (isSidecar) {
      if (lifecycle !== undefined) checkLifecycle(lifecycle, place.child('lifecycle'), gracePeriod)
      checkProbes(container, place, gracePeriod)
    } else forbidHooks(container, place)
  }
}

function forbidHooks(container: Container, at: FieldPath): void {
  for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    if (container[field] !== undefined) at.child(field).forbidden(onlyForSidecars)
  }
}

const forbiddenEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const

/** Checks the ephemeral containers. */
export function checkEphemeralContainers(pod: PodContext, at: FieldPath): void {
  const { ephemeralContainers = [], containers = [], initContainers = [] } = pod.spec
  const others = new Set([...containers, ...initContainers].map(({ name }) => name))
  const names = new Set(others)
  const detail = 'cannot be set for an Ephemeral Container'
  for (const [index, ephemeral] of ephemeralContainers.entries()) {
    const container = ephemeral as Container
    const place = at.index(index)
    const { name = '', volumeMounts = [] } = container
    const target = ephemeral.targetContainerName ?? ''
    checkCommon(container, place, pod)
    checkImageSpaces(container, place)
    if (names.has(name)) place.child('name').duplicate(name)
    else names.add(name)
    if (target !== '' && !others.has(target)) place.child('targetContainerName').notFound(target)
    for (const field of forbiddenEphemeral) {
      if (isSet(field, container[field])) place.child(field).forbidden(detail)
    }
    for (const [mountIndex, mount] of volumeMounts.entries()) {
      for (const field of ['subPath', 'subPathExpr'] as const) {
        if ((mount[field] ?? '') === '') continue
        place.child('volumeMounts').index(mountIndex).child(field).forbidden(detail)
      }
    }
  }
}

/** `resources` is a struct, which is not set while it is empty; the other fields are pointers. */
function isSet(field: string, value: unknown): boolean {
  if (value === undefined || value === null) return false
  return field !== 'resources' || Object.keys(value).length > 0
}

/** Only pods, not templates, refuse spaces around an image. */
export function checkImageSpaces({ image = '' }: Container, at: FieldPath): void {
  if (image.trim() === image) return
  at.child('image').invalid(image, 'must not have leading or trailing whitespace')
}
