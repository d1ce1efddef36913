import type { Frozen } from 'setpoint'
import type { PodTemplateSpec } from 'setpoint/kinds'

/** The longest name a pod can have. */
const nameCharactersMax = 253

/** A pod as its owner creates it; the server completes its name, the framework adds its owner. */
export interface NewPod {
  readonly metadata: {
    readonly generateName?: string
    readonly name?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
  }
  readonly spec: NonNullable<Frozen<PodTemplateSpec>['spec']>
}

/** The pod that a template describes, for an owner of this name. */
export function podFromTemplate(template: Frozen<PodTemplateSpec>, ownerName: string): NewPod {
  const { labels, annotations, finalizers } = template.metadata ?? {}
  const prefix = `${ownerName}-`
  return {
    metadata: {
      generateName: prefix.length > nameCharactersMax ? ownerName : prefix,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
    },
    spec: template.spec ?? { containers: [] },
  }
}
