import { createContext, use } from 'react';

const Context = createContext(false);

export const DevelopersProvider = Context.Provider;

/** Whether the account sees screens for developers, and with them how screens are called by API. */
export const useSeesDevelopers = (): boolean => use(Context);
