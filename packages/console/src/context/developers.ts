import { createContext, use } from 'react';

const Context = createContext(false);

export const DevelopersProvider = Context.Provider;

/** Tells if an account sees screens for developers: only then are API calls shown. */
export const useSeesDevelopers = (): boolean => use(Context);
