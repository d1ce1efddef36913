/**
 * build/: `setpoint build`, what a pod runs.
 *
 * `run-build.ts` bundles the operators with everything they import into one file with a source map; `assets.ts` takes
 * along the files that modules read beside themselves, `sbom.ts` says what is in it, `image-stage.ts` what an image is
 * made of.
 *
 * It promises the same bytes for the same sources, and names of functions as they were written.
 */
export { imageStage } from './image-stage.ts'
export { runBuild } from './run-build.ts'
