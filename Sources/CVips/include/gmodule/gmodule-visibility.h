/* A file of its own, as the folder is there since GLib 2.76 only: a link that leads nowhere would be a warning. */
#include "/usr/include/glib-2.0/gmodule/gmodule-visibility.h"
