;;; capabilities-test.el --- Optional capabilities -*- lexical-binding: t; -*-

;;; Commentary:

;; Opening files, and diagnostics of Flymake.

;;; Code:

(require 'fixture)
(require 'flymake)

(defun ide-companion-test-show (&rest params)
  "Open the file of PARAMS, and return its window."
  (should-not (ide-companion--open-file params))
  (get-buffer-window (get-file-buffer (plist-get params :path)) t))

(ide-companion-deftest "a file is shown, and the selected window stays selected"
  (let* ((path (ide-companion-test-file "two.txt" "a\n😀é x\nc\n"))
         (here (selected-window))
         (window (ide-companion-test-show :path path :line 2 :character 5)))
    (should (eq (selected-window) here))
    (with-current-buffer (window-buffer window)
      (should (equal (list (line-number-at-pos (window-point window))
                           (char-after (window-point window)))
                     '(2 ?x))))
    (ide-companion-test-show :path path :line 99 :character 99)
    (with-current-buffer (window-buffer window)
      (should (= (window-point window) (point-max))))
    (ide-companion-test-show :path path)
    (with-current-buffer (window-buffer window)
      (should (= (window-point window) (point-max))))
    (kill-buffer (window-buffer window))))

(ide-companion-deftest "point moves when the file is in the selected window"
  (let ((path (ide-companion-test-file "two.txt" "a\nb\nc\n")))
    (find-file path)
    (should (eq (ide-companion-test-show :path path :line 3) (selected-window)))
    (should (= (line-number-at-pos) 3))
    (kill-buffer)))

(ide-companion-deftest "no file is shown while the user is in the middle of something"
  (let ((this-command 'kill-word))
    (should-error (ide-companion--open-file (list :path (ide-companion-test-file "two.txt" "a\n"))))))

(ide-companion-deftest "diagnostics are reported for one file and for all, counted from 1 in UTF-16 units"
  (let* ((one (ide-companion-test-file "one.txt" "a\n😀é x\n"))
         (two (ide-companion-test-file "two.txt" "b\n"))
         (report (lambda (path begin end type)
                   (with-current-buffer (find-file-noselect path)
                     (let ((buffer (current-buffer)))
                       (setq-local flymake-diagnostic-functions
                                   (list (lambda (report-fn &rest _)
                                           (funcall report-fn
                                                    (list (flymake-make-diagnostic
                                                           buffer begin end type "wrong"))))))
                       (flymake-mode 1)
                       (flymake-start)
                       buffer))))
         (buffers (list (funcall report one 4 5 :error) (funcall report two 1 2 :note))))
    (ide-companion-test-until
     (lambda () (= 2 (length (plist-get (ide-companion--diagnostics nil) :diagnostics)))))
    (should (equal (ide-companion--diagnostics (list :path one))
                   (list :diagnostics
                         (vector (list :path one :line 2 :character 3 :endLine 2 :endCharacter 4
                                       :severity "error" :message "wrong")))))
    (should (equal (plist-get (ide-companion--diagnostics '(:path "/none")) :diagnostics) []))
    (mapc #'kill-buffer buffers)))

;; Flycheck is no part of Emacs.  Its errors are records with these fields.
(cl-defstruct (ide-companion-test-error (:conc-name flycheck-error-))
  line column end-line end-column level message id checker)

(ide-companion-deftest "diagnostics of Flycheck are reported, with or without a column and an end"
  (let ((path (ide-companion-test-file "one.txt" "a\n😀é x\nlast\n"))
        (found (lambda (&rest fields) (apply #'make-ide-companion-test-error fields))))
    (find-file path)
    (setq-local flycheck-mode t)
    (setq-local flycheck-current-errors
                (list (funcall found :line 2 :column 2 :end-line 2 :end-column 3 :level 'error
                               :message "wrong" :id "E1" :checker 'linter)
                      (funcall found :line 2 :column 4 :level 'warning :message nil)
                      (funcall found :line 3 :level 'custom :message "all of it")))
    (should (equal (plist-get (ide-companion--diagnostics (list :path path)) :diagnostics)
                   (vector (list :path path :line 2 :character 3 :endLine 2 :endCharacter 4
                                 :severity "error" :message "wrong" :source "linter" :code "E1")
                           (list :path path :line 2 :character 5 :endLine 2 :endCharacter 5
                                 :severity "warning" :message "")
                           (list :path path :line 3 :character 1 :endLine 3 :endCharacter 5
                                 :severity "info" :message "all of it"))))))

;;; capabilities-test.el ends here
