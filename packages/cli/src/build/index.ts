/**
 * build/: `setpoint build` writes the bundle that a pod runs.
 *
 * `run-build.ts` bundles the operators with everything they import into one file with a source map.
 * `assets.ts` copies the files that modules read from their own folder, `sbom.ts` lists the
 * packages in the bundle, `dockerfile.ts` has the Dockerfiles.
 *
 * It guarantees that the same sources give the same bytes, and that functions keep their names.
 */
export { projectDockerfile } from './dockerfile.ts'
export { runBuild } from './run-build.ts'
