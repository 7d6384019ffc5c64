import { createContext, use } from 'react';

const Context = createContext(false);

export const DevelopersProvider = Context.Provider;

/** Tells accounts that see screens for developers: only they are shown the API calls of a screen. */
export const useSeesDevelopers = (): boolean => use(Context);
