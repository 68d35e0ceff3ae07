;;; ide-companion-context.el --- The context that agents receive  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; While point moves, the hook sends the context four times a second: a timer
;; for every command would make Emacs redisplay once more.  The position after
;; the last movement is sent as soon as Emacs is idle.

;;; Code:

(eval-when-compile
  (require 'cl-lib))
(require 'ide-companion-log)
(require 'ide-companion-rpc)
(require 'ide-companion-selection)
(require 'ide-companion-text)

(defconst ide-companion--interval 0.25
  "Seconds between two updates while point moves.")

(defconst ide-companion--pause 0.025
  "Seconds until a movement has ended: less than between repeated keys.
The program waits for another 50 ms.")

(defconst ide-companion--most-files 12
  "The number of files that are sent, the latest ones; agents read ten.")

(defvar ide-companion--libraries '(cl-lib project ert jsonrpc)
  "The libraries that are not loaded yet.
They are loaded after the start of Emacs, one at a time, because the
user may be typing.")

(defvar ide-companion--timer
  (let ((timer (timer-create)))
    (timer-set-function timer #'ide-companion--update-context)
    timer))
(defvar ide-companion--pending nil "Whether the timer runs.")
(defvar ide-companion--idle-timer nil "The timer that runs when a movement has ended.")
(defvar ide-companion--updated-at 0 "The time of the last update, in seconds since 1970.")
(defvar ide-companion--moved nil "Whether a command has run since then.")
(defvar ide-companion--files-changed t "Whether buffers have come or gone.")
(defvar ide-companion--files-changed-hook nil "Run before a changed list of files is sent.")
(defvar ide-companion--focus-changed t "Whether another window may have the focus.")
(defvar ide-companion--entries nil "The open files as they are sent: (BUFFER . PLIST).")
(defvar ide-companion--active nil "The file buffer that has, or had last, the focus.")
(defvar ide-companion--sent nil "The context that was sent last.")

(defvar-local ide-companion--focused-at nil
  "When this file was last focused, in milliseconds since 1970.")
(put 'ide-companion--focused-at 'permanent-local t)

(defun ide-companion--milliseconds (time)
  "The Lisp timestamp TIME in milliseconds since 1970."
  (truncate (* 1000 (float-time time))))

(defun ide-companion--collect-files ()
  "Collect the files of all buffers."
  (let (entries)
    (dolist (buffer (buffer-list))
      (when (eq buffer (ide-companion--file-buffer buffer))
        (with-current-buffer buffer
          (setq ide-companion--focused-at
                (or ide-companion--focused-at
                    ;; Emacs knows when older buffers were displayed.
                    (if buffer-display-time
                        (ide-companion--milliseconds buffer-display-time)
                      0)))
          (push (list buffer :path (ide-companion--file-name buffer-file-name)
                      :focusedAt ide-companion--focused-at)
                entries))))
    (setq ide-companion--entries
          (seq-take (seq-sort-by (lambda (entry) (plist-get (cdr entry) :focusedAt)) #'> entries)
                    ide-companion--most-files))))

(defun ide-companion--find-active ()
  "Find the file that has the focus.
While the focus is in a terminal, a diff or the minibuffer, it is
the last file.  Return its window, if any."
  (let* ((window (or (minibuffer-selected-window) (selected-window)))
         (file (ide-companion--file-buffer (window-buffer window))))
    (when file
      (when (or ide-companion--focus-changed (not (eq file ide-companion--active)))
        (with-current-buffer file
          (setq ide-companion--focused-at (ide-companion--milliseconds nil)))
        (setq ide-companion--files-changed t))
      (setq ide-companion--active file))
    (setq ide-companion--focus-changed nil)
    (cond (file window)
          ((buffer-live-p ide-companion--active) (get-buffer-window ide-companion--active t)))))

(defun ide-companion--cursor-and-selection (window)
  "Cursor and selection of the active file, which is in WINDOW if any."
  (with-current-buffer (if window (window-buffer window) ide-companion--active)
    (save-excursion
      (when window (goto-char (window-point window)))
      (append (list :cursor (ide-companion--cursor)) (ide-companion--selection)))))

(defun ide-companion--context ()
  "The parameters of `companion/context'."
  (let ((window (ide-companion--find-active)))
    (when ide-companion--files-changed
      (setq ide-companion--files-changed nil)
      (ide-companion--collect-files))
    (let ((active (assq ide-companion--active ide-companion--entries)))
      (append
       (list :files
             (vconcat (mapcar (lambda (entry)
                                (if (eq entry active)
                                    (append (cdr entry) (ide-companion--cursor-and-selection window))
                                  (cdr entry)))
                              ide-companion--entries)))
       (and active (list :activePath (plist-get (cdr active) :path)))))))

(defun ide-companion--send-context ()
  "Send the context to the program, if it has changed."
  (when (ide-companion--ready-p)
    (let ((context (ide-companion--context)))
      (unless (equal context ide-companion--sent)
        (setq ide-companion--sent context)
        (ide-companion--notify :companion/context context)))))

(defun ide-companion--update-context ()
  "Update the context after a movement or a change of files."
  (setq ide-companion--pending nil
        ide-companion--moved nil
        ide-companion--updated-at (float-time))
  (if ide-companion--libraries
      (progn
        (require (pop ide-companion--libraries))
        (ide-companion--soon))
    (when ide-companion--files-changed
      (ide-companion--guarded #'run-hooks 'ide-companion--files-changed-hook))
    (ide-companion--guarded #'ide-companion--send-context)))

(defun ide-companion--soon ()
  "Update the context a little later."
  (unless ide-companion--pending
    (setq ide-companion--pending t)
    (timer-set-time ide-companion--timer (timer-relative-time nil ide-companion--pause))
    (timer-activate ide-companion--timer)))

(defun ide-companion--on-command ()
  "A command has run."
  (setq ide-companion--moved t)
  (when (and ide-companion--initialized
             (> (- (float-time) ide-companion--updated-at) ide-companion--interval))
    (ide-companion--update-context)))

(defun ide-companion--on-pause ()
  "Emacs is idle."
  (when ide-companion--moved
    (ide-companion--update-context)))

(defun ide-companion--on-files (&rest _)
  "A file may have been opened, saved, renamed or closed."
  (setq ide-companion--files-changed t)
  (ide-companion--soon))

(defun ide-companion--on-saved ()
  "A file was saved, and may be new on disk."
  (setq ide-companion--sent nil)
  (when (and (ide-companion--ready-p) (eq (current-buffer) (ide-companion--file-buffer (current-buffer))))
    (ide-companion--notify :companion/saved
                           (list :path (ide-companion--file-name buffer-file-name))))
  (ide-companion--on-files))

(defun ide-companion--on-killed ()
  "A buffer is killed."
  (when buffer-file-name
    (ide-companion--on-files)))

(defun ide-companion--on-focus (&rest _)
  "Another window, or another frame, may have the focus."
  (setq ide-companion--focus-changed t)
  (ide-companion--on-files))

(provide 'ide-companion-context)
;;; ide-companion-context.el ends here
