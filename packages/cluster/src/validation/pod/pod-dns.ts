import type { FieldPath } from '../go/field-path.ts'
import { checkLegacyIp } from '../fields/ip-rules.ts'
import { byteLength, subdomainProblems, underscoreSubdomainProblems } from '../fields/name-rules.ts'
import type { Spec } from './pod-options.ts'

const policies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']

/** Checks the DNS policy. */
export function checkDnsPolicy({ dnsPolicy = '' }: Spec, at: FieldPath): void {
  if (dnsPolicy === '') at.required()
  else if (!policies.includes(dnsPolicy)) at.notSupported(dnsPolicy, policies)
}

/** Checks the pod's own DNS servers and search paths. */
export function checkDnsConfig({ dnsPolicy, dnsConfig }: Spec, at: FieldPath): void {
  if (dnsConfig === undefined) {
    if (dnsPolicy === 'None') at.required('must provide `dnsConfig` when `dnsPolicy` is None')
    return
  }
  const { nameservers = [], searches = [], options = [] } = dnsConfig
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None'
    return at.child('nameservers').required(detail)
  }
  if (nameservers.length > 3) {
    at.child('nameservers').invalid(nameservers, 'must not have more than 3 nameservers')
  }
  for (const [index, server] of nameservers.entries()) {
    checkLegacyIp(server, at.child('nameservers').index(index))
  }
  checkSearches(searches, at.child('searches'))
  for (const [index, { name = '' }] of options.entries()) {
    if (name === '') at.child('options').index(index).required('must not be empty')
  }
}

function checkSearches(searches: readonly string[], at: FieldPath): void {
  if (searches.length > 32) at.invalid(searches, 'must not have more than 32 search paths')
  if (byteLength(searches.join(' ')) > 2048) {
    const detail = 'must not have more than 2048 characters (including spaces) in the search list'
    at.invalid(searches, detail)
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue
    const name = search.endsWith('.') ? search.slice(0, -1) : search
    at.index(index).invalidEach(name, underscoreSubdomainProblems(name))
  }
}

/** Checks entries of the pod's hosts file. */
export function checkHostAliases(aliases: NonNullable<Spec['hostAliases']>, at: FieldPath): void {
  for (const [index, { ip = '', hostnames = [] }] of aliases.entries()) {
    const place = at.index(index)
    checkLegacyIp(ip, place.child('ip'))
    for (const [number, name] of hostnames.entries()) {
      place.child('hostnames').index(number).invalidEach(name, subdomainProblems(name))
    }
  }
}
