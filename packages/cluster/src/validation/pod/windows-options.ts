import type { FieldPath } from '../go/field-path.ts'
import { byteLength, subdomainProblems } from '../fields/name-rules.ts'
import type { Container, Spec } from './pod-options.ts'
import { visitContainers } from '../container/visit-containers.ts'

type Options = NonNullable<NonNullable<Container['securityContext']>['windowsOptions']>

const credentialSpecMax = 64 * 1024
const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/
const dnsName =
  /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

/** Checks the options of a Windows container. */
export function checkWindowsOptions(options: Options | undefined, at: FieldPath): void {
  if (options === undefined) return
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options
  if (gmsaCredentialSpecName !== undefined) {
    const problems = subdomainProblems(gmsaCredentialSpecName)
    at.child('gmsaCredentialSpecName').invalidEach(gmsaCredentialSpecName, problems)
  }
  if (gmsaCredentialSpec !== undefined) {
    const place = at.child('gmsaCredentialSpec')
    if (gmsaCredentialSpec === '') {
      place.invalid('', 'gmsaCredentialSpec cannot be an empty string')
    } else if (byteLength(gmsaCredentialSpec) > credentialSpecMax) {
      place.invalid(gmsaCredentialSpec, 'gmsaCredentialSpec size must be under 64 KiB')
    }
  }
  if (runAsUserName !== undefined) {
    at.child('runAsUserName').invalidEach(runAsUserName, userNameProblems(runAsUserName))
  }
}

function userNameProblems(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string']
  // Compared by code, because eslint refuses control characters in a pattern.
  if ([...name].some((letter) => letter < ' ' || letter === '\u007f')) {
    return ['runAsUserName cannot contain control characters']
  }
  const parts = name.split('\\')
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash']
  const user = parts.at(-1) ?? ''
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined
  const problems: string[] = []
  if (domain !== undefined) {
    if (byteLength(domain) >= 256) {
      problems.push("runAsUserName's Domain length must be under 256 characters")
    }
    if (!netBiosName.test(domain) && !dnsName.test(domain)) {
      problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format")
    }
  }
  if (user === '') problems.push("runAsUserName's User cannot be empty")
  else if (byteLength(user) > 104) {
    problems.push("runAsUserName's User length must not be longer than 104 characters")
  }
  if (/^[. ]+$/.test(user)) {
    problems.push("runAsUserName's User cannot contain only periods or spaces")
  }
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`)
  }
  return problems
}

/** Checks HostProcess pods: all containers must be HostProcess, with the host network. */
export function checkHostProcessPod(spec: Spec, at: FieldPath): void {
  const podValue = spec.securityContext?.windowsOptions?.hostProcess
  let total = 0
  let hostProcesses = 0
  visitContainers(spec, at, (container, place) => {
    const value = container.securityContext?.windowsOptions?.hostProcess
    total++
    if (podValue !== undefined && value !== undefined && podValue !== value) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${podValue}`
      place.child('securityContext', 'windowsOptions', 'hostProcess').invalid(value, detail)
    }
    if (value ?? podValue ?? false) hostProcesses++
  })
  if (hostProcesses === 0) return
  if (hostProcesses !== total) {
    const detail =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers'
    at.invalid('', detail)
  }
  if (spec.hostNetwork !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers'
    at.child('hostNetwork').invalid(false, detail)
  }
}
