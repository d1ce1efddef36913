import type { AppArmorProfile, Pod } from 'setpoint/kinds'
import { itemsOf } from '../items-of.ts'
import { jsonEquals } from 'setpoint/schema'

const annotationPrefix = 'container.apparmor.security.beta.kubernetes.io/'
const localhostPrefix = 'localhost/'

/** The deprecated annotation of a container's profile sets the field that replaced it. */
export function applyAppArmorAnnotations(
  { metadata, spec }: Pod,
  warn: (text: string) => void,
): void {
  const annotations = metadata.annotations
  if (annotations === undefined || spec.os?.name === 'windows') return
  const containers = [...itemsOf(spec.initContainers), ...itemsOf(spec.containers)]
  for (const container of containers) {
    const key = annotationPrefix + container.name
    const annotation = annotations[key]
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined)
      continue
    const profile = profileOf(annotation)
    const ofPod = spec.securityContext?.appArmorProfile
    if (profile !== undefined && jsonEquals(profile, ofPod)) continue
    const place = `metadata.annotations[${key}]`
    warn(`${place}: deprecated since v1.30; use the "appArmorProfile" field instead`)
    if (profile === undefined) continue
    container.securityContext ??= {}
    container.securityContext.appArmorProfile = profile
  }
}

function profileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
  const localhostProfile = annotation.slice(localhostPrefix.length)
  const isLocal = annotation.startsWith(localhostPrefix) && localhostProfile.trim() !== ''
  if (!isLocal || localhostProfile !== localhostProfile.trim()) return undefined
  return { type: 'Localhost', localhostProfile }
}
