import type { Duration } from '../host/index.ts'
import type { LabelSelector } from '../kinds/label-selector.ts'

/** What a request does with an object. `CONNECT` is for subresources such as `pods/exec`. */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** The labels of objects or namespaces: plain labels, or a selector with `matchExpressions`. */
export type LabelsOption = LabelSelector | Readonly<Record<string, string>>

/** The requests that a function or a policy is about, with the names and meanings of Kubernetes. */
export interface MatchOptions<Subresource extends string = string> {
  /** The operations to review; `CREATE` and `UPDATE` unless given. */
  readonly operations?: readonly AdmissionOperation[]
  /** Reviews requests for this subresource, such as `scale`, instead of the objects themselves. */
  readonly subresource?: Subresource
  /** Reviews only objects with these labels. Users may be able to change labels. */
  readonly objectSelector?: LabelsOption
  /**
   * Reviews only objects in namespaces with these labels. `kube-system` and the namespace of the
   * operator are never reviewed, so that a failing review cannot prevent their repair.
   */
  readonly namespaceSelector?: LabelsOption
  /**
   * Reviews only requests for which all of these CEL expressions are true, by name. The API server
   * evaluates them; `setpoint generate` compiles them.
   */
  readonly matchConditions?: Readonly<Record<string, string>>
  /** `Exact` reviews only requests in the version of the kind; `Equivalent` is the default. */
  readonly matchPolicy?: 'Equivalent' | 'Exact'
}

/** Options of `.validate`. All have defaults. */
export interface ValidateOptions<
  Subresource extends string = string,
> extends MatchOptions<Subresource> {
  /**
   * Its name in the configuration, in the path and in messages. The name of the function unless
   * given. Pods of two releases serve it during an upgrade, so keep it.
   */
  readonly id?: string
  /**
   * What the API server does if it cannot call the function, or the function fails: `Fail` refuses
   * the request and is the default, `Ignore` lets it pass.
   */
  readonly failurePolicy?: 'Fail' | 'Ignore'
  /** How long a review may take: 1 s to 30 s, `10s` unless given. */
  readonly timeout?: Duration
  /**
   * `NoneOnDryRun` says that the function has side effects, except for dry runs. `None` is the
   * default.
   */
  readonly sideEffects?: 'None' | 'NoneOnDryRun'
}

/** Options of `.mutate`. */
export interface MutateOptions<
  Subresource extends string = string,
> extends ValidateOptions<Subresource> {
  /** `IfNeeded` calls the function again if a later mutation changed the object; `Never` is the default. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded'
}
