import { declaredAdmission } from '../../admission/declare-admission.ts'
import { declaredPolicy } from '../../admission/declare-policy.ts'
import type {
  AdmissionContext,
  Awaitable,
  MutateOptions,
  PolicyOptions,
  Problem,
  ValidateOptions,
} from '../../admission/index.ts'
import { calledAt } from '../../errors/index.ts'
import type { Binding, Eviction, Scale } from '../../kinds/index.ts'
import type { InferResource, Kind } from '../../kinds/kind.ts'
import type { CheckedField } from './handler-contexts.ts'
import type { OperatorDeclaration } from './operator-declaration.ts'
import type { Frozen } from './operator-types.ts'

/** The objects of requests for subresources; others have the type of the kind. */
interface SubresourceObjects {
  readonly scale: Scale
  readonly eviction: Eviction
  readonly binding: Binding
  readonly exec: ConnectOptions
  readonly attach: ConnectOptions
  readonly portforward: { readonly ports?: readonly number[] }
  readonly proxy: { readonly path?: string }
}

/** The options of `kubectl exec` and `kubectl attach`. */
interface ConnectOptions {
  readonly container?: string
  readonly command?: readonly string[]
  readonly stdin?: boolean
  readonly stdout?: boolean
  readonly stderr?: boolean
  readonly tty?: boolean
}

/** The object that a function reviews. */
type Reviewed<D extends Kind, Subresource> = Subresource extends keyof SubresourceObjects
  ? SubresourceObjects[Subresource]
  : InferResource<D>

/** What a function of `.validate` returns: problems of fields, and texts. Nothing means valid. */
type Problems<Object, Path extends string> =
  readonly (Problem<Path & CheckedField<Object, Path>> | string)[] | void

/** The methods that declare admission webhooks and policies. */
export abstract class AdmissionMethods<D extends Kind> {
  /** All declarations, for programs that run, test or show the operator. */
  abstract readonly declaration: OperatorDeclaration

  /** Returns a new operator with a changed declaration. */
  protected abstract also(change: Partial<OperatorDeclaration>): this

  /**
   * Refuses objects before they are stored. The function returns the problems of an object, and the
   * API server refuses the request with them. It is called for every create and update, unless the
   * options say otherwise; for a deletion it gets the object that is deleted.
   *
   *     .validate(({ spec }) =>
   *       spec.replicas > 100 ? [problem('spec.replicas', 'at most 100')] : [])
   */
  validate<const Path extends string = never, const Subresource extends string = ''>(
    run: (
      object: Frozen<Reviewed<D, Subresource>>,
      context: AdmissionContext<Frozen<Reviewed<D, Subresource>>>,
    ) => Awaitable<Problems<Reviewed<D, Subresource>, Path>>,
    options?: ValidateOptions<Subresource>,
  ): this {
    return this.#admission('validate', run, options)
  }

  /**
   * Changes objects before they are stored. The function changes the draft in place, or returns the
   * changed object. It must give the same result when it is called again for its result. Fields
   * that identify the object, or that the server sets, cannot be changed.
   *
   *     .mutate((app) => ({ ...app, spec: { ...app.spec, image: pinned(app.spec.image) } }))
   */
  mutate<const Subresource extends string = ''>(
    run: (
      draft: Reviewed<D, Subresource>,
      context: AdmissionContext<Frozen<Reviewed<D, Subresource>>>,
    ) => Awaitable<Reviewed<D, Subresource> | void>,
    options?: MutateOptions<Subresource>,
  ): this {
    return this.#admission('mutate', run, options)
  }

  /**
   * Declares rules in CEL that the API server evaluates itself, without a server of this program:
   * a ValidatingAdmissionPolicy, or with `mutations` a MutatingAdmissionPolicy, and its binding.
   *
   *     .policy('no-latest', {
   *       rules: [rule("object.spec.containers.all(c, !c.image.endsWith(':latest'))", 'use a tag')],
   *     })
   */
  policy(name: string, options: PolicyOptions): this {
    const { policies } = this.declaration
    return this.also({ policies: [...policies, declaredPolicy(this.declaration, name, options)] })
  }

  #admission(type: 'validate' | 'mutate', run: unknown, options: MutateOptions | undefined): this {
    const { admission } = this.declaration
    const declaredAt = calledAt(this, type)
    const declared = declaredAdmission(this.declaration, { type, run, options, declaredAt })
    return this.also({ admission: [...admission, declared] })
  }
}
