;;; ide-companion-doctor.el --- What runs, and what is missing  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A report on the program, and what that says of the agents.

;;; Code:

(eval-when-compile
  (require 'subr-x))
(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-status)

(defun ide-companion--finding (level format &rest arguments)
  "Insert what FORMAT and ARGUMENTS give; LEVEL is `ok', `warning' or `error'."
  (insert (pcase level
            ('ok (propertize "  OK       " 'face 'success))
            ('warning (propertize "  WARNING  " 'face 'warning))
            ('error (propertize "  ERROR    " 'face 'error))
            (_ "           "))
          (apply #'format format arguments) "\n"))

(defun ide-companion--run-program (word)
  "Run the program with WORD as its command: (EXIT-CODE . OUTPUT)."
  (with-temp-buffer
    (let ((words (append (butlast ide-companion-command) (list word))))
      (cons (apply #'call-process (car words) nil t nil (cdr words)) (buffer-string)))))

(defun ide-companion--check-program ()
  "Insert the findings about the program, and those of its doctor."
  (let* ((program (car ide-companion-command))
         (found (executable-find program)))
    (if (not found)
        (progn
          (ide-companion--finding 'error "%s is not in `exec-path'" program)
          (ide-companion--finding nil "Install it: npm install --global ide-companion")
          (ide-companion--finding
           nil "Or name it: (setq ide-companion-command '(\"/path/to/ide-companion\" \"lsp\"))"))
      (pcase-let ((`(,code . ,output) (ide-companion--run-program "--version")))
        (if (not (equal 0 code))
            (ide-companion--finding 'error "%s does not run: %s" program output)
          (ide-companion--finding 'ok "%s is version %s" found (string-trim output))
          (insert "\n" (cdr (ide-companion--run-program "doctor"))))))))

(defun ide-companion--check-server ()
  "Insert the findings about the process."
  (if ide-companion--status
      (ide-companion--finding 'ok "%s" (plist-get ide-companion--status :sentence))
    (ide-companion--finding 'warning "the companion is not running")
    (ide-companion--finding nil (if (bound-and-true-p ide-companion-mode)
                                    "It starts with the first file, or by M-x ide-companion-start"
                                  "M-x ide-companion-mode turns it on"))
    (ide-companion--finding nil "M-x ide-companion-log shows why it ended")))

;;;###autoload
(defun ide-companion-doctor ()
  "Show what is missing here, and the output of `ide-companion doctor'."
  (interactive)
  (let ((folder (if (file-remote-p default-directory) temporary-file-directory default-directory))
        (buffer (get-buffer-create "*ide-companion doctor*")))
    (with-current-buffer buffer
      (special-mode)
      (setq default-directory folder)
      (setq-local revert-buffer-function (lambda (&rest _) (ide-companion-doctor)))
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (propertize "ide-companion" 'face 'bold) " in Emacs " emacs-version "\n\n")
        (ide-companion--check-server)
        (ide-companion--check-program))
      (goto-char (point-min)))
    (pop-to-buffer buffer)))

(provide 'ide-companion-doctor)
;;; ide-companion-doctor.el ends here
