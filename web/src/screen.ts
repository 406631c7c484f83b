import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { loadScreen } from './parts/load-part.ts';

/** A screen that is loaded when it is visited. */
export const screen = <Module extends Record<Name, ComponentType>, Name extends string>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(() => loadScreen(load), name);
