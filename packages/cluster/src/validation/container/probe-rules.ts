/** Probes and lifecycle hooks of containers. */
import type { LifecycleHandler, Probe } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { httpHeaderProblems, portNameProblems, portNumberProblems } from '../fields/name-rules.ts'
import { checkNonnegativeFields } from '../fields/number-rules.ts'
import type { Container } from '../pod/pod-options.ts'

type Handler = Decoded<LifecycleHandler> & Pick<Decoded<Probe>, 'grpc'>

/** A port by number or by name; an empty string is a name. */
export function checkPort(port: number | string, at: FieldPath): void {
  const problems = typeof port === 'number' ? portNumberProblems(port) : portNameProblems(port)
  at.invalidEach(port, problems)
}

function checkHttpGet(action: NonNullable<Handler['httpGet']>, at: FieldPath): void {
  const { path = '', port = 0, scheme = '', httpHeaders = [] } = action
  if (path === '') at.child('path').required()
  checkPort(port, at.child('port'))
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') {
    at.child('scheme').notSupported(scheme, ['HTTP', 'HTTPS'])
  }
  for (const { name = '' } of httpHeaders) {
    at.child('httpHeaders').invalidEach(name, httpHeaderProblems(name))
  }
}

function checkHandler(handler: Handler, at: FieldPath, gracePeriod: number | undefined): void {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler
  const checks = [
    ['exec', exec, () => exec?.command?.length || at.child('exec', 'command').required()],
    ['httpGet', httpGet, () => httpGet && checkHttpGet(httpGet, at.child('httpGet'))],
    ['tcpSocket', tcpSocket, () => checkPort(tcpSocket?.port ?? 0, at.child('tcpSocket', 'port'))],
    ['grpc', grpc, () => checkPort(grpc?.port ?? 0, at.child('grpc', 'port'))],
    ['sleep', sleep, () => checkSleep(sleep?.seconds ?? 0, at.child('sleep'), gracePeriod)],
  ] as const
  const present = checks.filter(([, action]) => action !== undefined)
  if (present.length === 0) return at.required('must specify a handler type')
  for (const [index, [field, , check]] of present.entries()) {
    if (index === 0) check()
    else at.child(field).forbidden('may not specify more than 1 handler type')
  }
}

function checkSleep(seconds: number, at: FieldPath, gracePeriod: number | undefined): void {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`
  at.invalid(seconds, detail)
}

/** Checks the hooks of a container. */
export function checkLifecycle(
  lifecycle: NonNullable<Container['lifecycle']>,
  at: FieldPath,
  gracePeriod: number | undefined,
): void {
  const { postStart, preStop } = lifecycle
  if (postStart !== undefined) checkHandler(postStart, at.child('postStart'), gracePeriod)
  if (preStop !== undefined) checkHandler(preStop, at.child('preStop'), gracePeriod)
}

/** Checks the three probes of a container. */
export function checkProbes(
  container: Container,
  at: FieldPath,
  gracePeriod: number | undefined,
): void {
  for (const field of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    const probe = container[field]
    if (probe === undefined) continue
    const place = at.child(field)
    checkProbe(probe, place, gracePeriod)
    if (field === 'readinessProbe') {
      const { terminationGracePeriodSeconds: seconds } = probe
      if (seconds === undefined) continue
      place
        .child('terminationGracePeriodSeconds')
        .invalid(seconds, 'must not be set for readinessProbes')
    } else if ((probe.successThreshold ?? 0) !== 1) {
      place.child('successThreshold').invalid(probe.successThreshold ?? 0, 'must be 1')
    }
  }
}

const probeNumbers = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const

function checkProbe(probe: Decoded<Probe>, at: FieldPath, gracePeriod: number | undefined): void {
  checkHandler(probe, at, gracePeriod)
  checkNonnegativeFields(probe, probeNumbers, at)
  const { terminationGracePeriodSeconds: seconds } = probe
  if (seconds !== undefined && seconds <= 0) {
    at.child('terminationGracePeriodSeconds').invalid(seconds, 'must be greater than 0')
  }
}
