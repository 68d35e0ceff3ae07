;;; ide-companion-log.el --- Messages and log of ide-companion  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Every message to the user is logged, and so are errors in hooks and timers.

;;; Code:

;; For every file: Emacs 28 does not preload it.
(require 'seq)

(defconst ide-companion--log-name "*ide-companion log*")
(defconst ide-companion--log-lines 500)

(defun ide-companion--log (text)
  "Add TEXT to the log.
No text of a file belongs there, and no token."
  (with-current-buffer (get-buffer-create ide-companion--log-name)
    (unless (derived-mode-p 'special-mode)
      (special-mode)
      (buffer-disable-undo))
    (let ((inhibit-read-only t)
          (stamp (format-time-string "%H:%M:%S ")))
      (save-excursion
        (goto-char (point-max))
        (dolist (line (split-string text "\n" t))
          (insert stamp line "\n"))
        (forward-line (- ide-companion--log-lines))
        (delete-region (point-min) (point))))))

(defun ide-companion--say (format &rest arguments)
  "Show FORMAT with ARGUMENTS as a message of one line."
  (let ((text (apply #'format format arguments)))
    (ide-companion--log text)
    (message "%s" (replace-regexp-in-string "[ \t]*\n[ \t]*" " " text))))

(defun ide-companion--guarded (function &rest arguments)
  "Call FUNCTION with ARGUMENTS; log an error instead of raising it.
For hooks and timers, where an error would disturb the user's work."
  (condition-case failure
      (apply function arguments)
    (error
     (ide-companion--log (format "%s: %s" function (error-message-string failure)))
     nil)))

;;;###autoload
(defun ide-companion-log ()
  "Show the log."
  (interactive)
  (ide-companion--log "The log is shown.")
  (pop-to-buffer ide-companion--log-name)
  (goto-char (point-max)))

(provide 'ide-companion-log)
;;; ide-companion-log.el ends here
