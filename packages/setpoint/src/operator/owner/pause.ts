import type { ApiResource } from '../../kinds/api-resource.ts'
import type { OperatorDeclaration } from '../declare/operator-declaration.ts'

/** The annotation that pauses an object: operators ignore `setpoint.dev/paused: "true"`. */
const pauseAnnotation = 'setpoint.dev/paused'

/** Whether an object is paused. `pausable: false` ignores the annotation. */
export function isPaused({ metadata }: ApiResource, { options }: OperatorDeclaration): boolean {
  return metadata.annotations?.[pauseAnnotation] === 'true' && options.pausable !== false
}
