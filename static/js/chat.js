/* The page's behaviour. The server renders everything; this file keeps the place of whoever is reading. */

import { drafts } from "./drafts.js";
import { keepPlaceInHistory, keepWhatIsOpen } from "./keep.js";
import { limits } from "./limits.js";
import { requests } from "./requests.js";
import { connectReliably } from "./socket.js";
import { worksheets } from "./worksheets.js";
import { announceStatus, drawer, composer, menus, copying, history, sendByEnter, startForm } from "./page.js";

requests();
connectReliably();
drafts();
limits();
keepWhatIsOpen();
keepPlaceInHistory();
announceStatus();
sendByEnter();
composer();
startForm();
menus(); // before the drawer: one Escape closes one thing
drawer();
copying();
history();
worksheets();
