import type { CrdManifest } from 'setpoint'
import { parseAllDocuments } from 'yaml'
import { CommandError } from '../command/index.ts'

interface Document {
  readonly apiVersion?: unknown
  readonly kind?: unknown
  readonly items?: unknown
}

/** The CRDs among the documents of a text, and in lists among them. */
export function crdsInText(source: string, text: string): CrdManifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw new CommandError(`${source}: ${error.message}`)
    try {
      return crdsIn(source, document.toJS() as Document | null)
    } catch (cause) {
      if (cause instanceof CommandError) throw cause
      // An alias that leads nowhere, or so many that they are meant to do harm.
      throw new CommandError(`${source}: ${(cause as Error).message}`, { cause })
    }
  })
}

function crdsIn(source: string, object: Document | null): CrdManifest[] {
  if (object === null || typeof object !== 'object') return []
  if (Array.isArray(object.items))
    return object.items.flatMap((item) => crdsIn(source, item as Document))
  if (object.kind !== 'CustomResourceDefinition') return []
  if (object.apiVersion !== 'apiextensions.k8s.io/v1') {
    throw new CommandError(`${source}: a CRD of ${String(object.apiVersion)}`, {
      hint: 'Kubernetes has not served that version since 1.22; get the CRD in apiextensions.k8s.io/v1',
    })
  }
  return [checked(source, object)]
}

/** A server would refuse it otherwise; and its name is written into a file. */
function checked(source: string, object: Document): CrdManifest {
  const { metadata, spec } = object as Partial<CrdManifest>
  const { group, names, versions } = (spec ?? {}) as Partial<CrdManifest['spec']>
  const { kind, plural } = (names ?? {}) as Partial<CrdManifest['spec']['names']>
  const isWhole = [group, kind, plural].every((each) => typeof each === 'string' && each !== '')
  if (!isWhole || !Array.isArray(versions)) {
    throw new CommandError(
      `${source}: a CRD needs spec.group, spec.names.kind, spec.names.plural and spec.versions`,
    )
  }
  if (metadata?.name !== `${plural ?? ''}.${group ?? ''}`) {
    throw new CommandError(
      `${source}: a CRD is called ${JSON.stringify(metadata?.name)}, not by its plural and its group`,
    )
  }
  return object as unknown as CrdManifest
}
