import type { FieldPath } from '../go/field-path.ts'

interface SpecCreate<S> {
  readonly object: { readonly spec?: Partial<S> }
  readonly at: FieldPath
  readonly checkMetadata: () => void
}

interface SpecUpdate<S> extends SpecCreate<S> {
  readonly old: { readonly spec?: Partial<S> }
  readonly checkMetadataUpdate: () => void
}

/** The create and update rules of a kind with one check of its spec; `old` is the stored spec. */
export function specRules<S extends object>(
  checkSpec: (spec: Partial<S>, at: FieldPath, old?: Partial<S>) => void,
): {
  create: (created: SpecCreate<S>) => void
  update: (updated: SpecUpdate<S>) => void
} {
  return {
    create({ object, at, checkMetadata }) {
      checkMetadata()
      checkSpec(object.spec ?? {}, at.child('spec'))
    },
    update({ object, old, at, checkMetadataUpdate }) {
      checkMetadataUpdate()
      checkSpec(object.spec ?? {}, at.child('spec'), old.spec ?? {})
    },
  }
}
