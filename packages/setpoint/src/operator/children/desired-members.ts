import { keyOf } from '../../cache/index.ts'
import { SetpointError } from '../../errors/index.ts'
import type { Random } from '../../host/host.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isPlainObject } from '../../schema/json-value.ts'
import type { ChildContext } from '../declare/contexts.ts'
import { isCrossNamespace } from '../declare/is-cross-namespace.ts'
import type {
  ChildDeclaration,
  LiveChild,
  OperatorDeclaration,
} from '../declare/operator-declaration.ts'
import { childManifest, type ChildManifest, childName } from '../manifest/child-manifest.ts'
import { plainManifest } from '../manifest/plain-manifest.ts'
import { type KindCaches, ownerView } from '../owner/owner-view.ts'

/** The sources of the arguments of a child function. */
interface DesiredMembersParts {
  readonly declaration: OperatorDeclaration
  readonly host: Random
  /** The owner as the author's functions get it. */
  readonly owner: ApiResource
  readonly caches: KindCaches
  /** The children that were applied before. */
  readonly children: Readonly<Record<string, LiveChild>>
  readonly prepared: Prepared
}

/** The results of the functions of `.prepare`. */
export type Prepared = ReadonlyMap<unknown, unknown>

/** Calls the function of a child. Returns manifests by key; that of a single child is ''. */
export function desiredMembers(
  child: ChildDeclaration,
  parts: DesiredMembersParts,
): Map<string, ChildManifest> {
  const { declaration, owner } = parts
  const { kind, deletion, isSet } = child
  const context = contextOf(child, parts)
  const isIncluded = child.includeWhen?.(owner, context) ?? true
  const desired = isIncluded ? child.desired(owner, context) : null
  const { name, formerNames = [] } = declaration.options
  const label = `${name}/${child.name}`
  const byKey = isSet ? Object.entries(setOf(desired, label)) : [['', desired] as const]
  const manifests = new Map<string, ChildManifest>()
  for (const [key, one] of byKey) {
    // `undefined` for a single child is a forgotten `return`. It fails below, instead of deleting
    // the child.
    if (one === null || (isSet && one === undefined)) continue
    const manifest = childManifest({
      owner,
      kind,
      name: childName(declaration, child, { owner, key: isSet ? key : undefined }),
      deletion,
      mayBeCrossNamespace: isCrossNamespace(child, declaration.kind),
      desired: one as object,
      marks: [label, ...formerNames.map((former) => `${former}/${child.name}`)],
    })
    manifests.set(key, manifest)
  }
  return manifests
}

function contextOf(
  { name, createOnly }: ChildDeclaration,
  parts: DesiredMembersParts,
): ChildContext {
  const { host, declaration, owner, caches, children, prepared } = parts
  const randomBytes = (count: number): Uint8Array => {
    if (createOnly === true) return host.randomBytes(count)
    throw new SetpointError(
      'OPERATOR_INVALID',
      `the child ${name} of ${declaration.options.name} uses randomBytes(), so it would change on every reconcile`,
      { hint: 'declare it with `createOnly: true`' },
    )
  }
  const view = ownerView(owner.metadata.namespace, caches)
  const preparedBy = (run: unknown): never => {
    // The type of the result is that of the function.
    if (prepared.has(run)) return prepared.get(run) as never
    throw new SetpointError(
      'OPERATOR_INVALID',
      `the child ${name} of ${declaration.options.name} uses a result that is not prepared`,
      { hint: 'declare the function with .prepare' },
    )
  }
  return { children: children as never, randomBytes, prepared: preparedBy, ...view }
}

/** The members of a child set. A list or a Map is refused: it has no keys for names. */
function setOf(desired: object | null, label: string): object {
  return desired === null || isPlainObject(desired)
    ? (desired ?? {})
    : plainManifest(desired, label)
}

/** Two children that want the same object. */
export function sameObjectError(
  { options }: OperatorDeclaration,
  { name, kind }: ChildDeclaration,
  { object }: ChildManifest,
): SetpointError {
  return new SetpointError(
    'OPERATOR_INVALID',
    `${options.name}/${name} and another child both want the ${kind.kind} ${keyOf(object.metadata)}`,
    { hint: 'give one of them another metadata.name' },
  )
}
